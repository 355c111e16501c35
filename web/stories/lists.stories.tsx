import { QuotaBar, ShareBar } from '../src/ui/bar.tsx';
import { Card } from '../src/ui/card.tsx';
import { CodeBlock } from '../src/ui/code-block.tsx';
import { Setting } from '../src/ui/setting.tsx';
import { RowName, Table } from '../src/ui/table.tsx';
import { Tabs } from '../src/ui/tabs.tsx';

const nothing = () => {};
const rows = ['search indexer', 'website', 'nightly batch'].map((name, place) => ({
  key: name,
  cells: [
    <RowName key="name" name={name} more="sk_…9f3c" />,
    String(4_643 - 1_000 * place),
    <ShareBar key="share" share={0.5 - place / 10} />,
  ],
}));

export const Sorted = () => (
  <Table
    caption="Keys"
    columns={[
      { name: 'Name', order: 'name' },
      { name: 'Requests', numeric: true },
      { name: 'Share', numeric: true },
    ]}
    rows={rows}
    sort="name"
    onSort={nothing}
  />
);

export const Parts = () => (
  <div className="grid gap-6">
    <Tabs label="Parts" tabs={{ one: 'One', two: 'Two' }} value="one" />
    <Card title="A part" description="With a sentence." actions={<button type="button">Action</button>}>
      <QuotaBar used={8_400} limit={10_000} unit="requests" />
      <QuotaBar used={12_000} limit={10_000} unit="requests" />
      <QuotaBar used={12_000} limit={null} unit="requests" />
    </Card>
    <Setting name="Name" value="Acme" action="Edit" />
    <CodeBlock label="Example" wrapped text="curl https://embeddings.example/v1/embeddings" />
  </div>
);
