import type { UsageReport } from '../../../api/usage.ts';
import { formatCount } from '../../../lib/format.ts';
import { Empty } from '../../../ui/empty.tsx';
import { ShowMore } from '../../../ui/show-more.tsx';
import { type Row, RowName, row, Table } from '../../../ui/table.tsx';

const figures = ['Counted', 'Cached', 'Failed', 'Texts', 'Tokens'];
const columns = ['Model', ...figures.map((name) => ({ name, numeric: true }))];

export function ModelBreakdown({ report: { models } }: { report: UsageReport }) {
  if (models.length === 0) return <Empty title="No model was used in this period." />;
  return (
    <>
      <ShowMore items={models} name="models">
        {(shown) => <Table caption="Usage by model" columns={columns} rows={shown.map(rowOf)} />}
      </ShowMore>
      {models.some(({ model }) => model === null) && (
        <p className="pt-3 text-muted">
          Unknown: requests that failed before they named a served model, or that were recorded before version
          0.3.
        </p>
      )}
    </>
  );
}

function rowOf({ model, counted, cached, failed, texts, tokens }: UsageReport['models'][number]): Row {
  return row(
    model ?? '',
    <RowName name={model ?? 'Unknown'} />,
    ...[counted, cached, failed, texts, tokens].map(formatCount),
  );
}
