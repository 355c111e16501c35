import { useQuery } from '@tanstack/react-query';
import { allModelsQuery, type Model } from '../../../api/embeddings.ts';
import { lastDays, usageQuery } from '../../../api/usage.ts';
import { OrganizationPage } from '../../../frame/organization-page.tsx';
import { formatCount } from '../../../lib/format.ts';
import { useOpened } from '../../../lib/use-address.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Badge } from '../../../ui/badge.tsx';
import { CopyValue } from '../../../ui/copy.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Opened } from '../../../ui/opened.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { type Row, row, Table } from '../../../ui/table.tsx';
import { Example } from '../keys/example.tsx';

const columns = [
  'Model',
  'Task',
  { name: 'Dimensions', numeric: true },
  { name: 'Tokens per text', numeric: true },
  'Languages',
  { name: 'Weights', isExtra: true },
  { name: 'Requests, 30 days', numeric: true },
];

const tasks = { embed: 'Embeddings', rerank: 'Reranking' } as const;
const listOf = (items: readonly string[] | null | undefined): string => items?.join(', ') || '–';

/** What the service serves. */
export default function Models() {
  const { org_id: orgId } = useOrganization();
  const models = useQuery(allModelsQuery);
  const usage = useQuery(usageQuery(orgId, lastDays, undefined, { maxKeys: 0 }));
  const [openedId, open, close] = useOpened();
  const rowOf = (model: Model, aliases: readonly string[]): Row => {
    const { id, task, dimensions, max_input_tokens, languages, dtype } = model;
    const used = usage.data?.models.find((each) => each.model === id);
    return row(
      id,
      <span className="inline-flex min-w-0 items-center gap-2">
        <button type="button" className="truncate font-medium hover:underline" onClick={() => open(id)}>
          {id}
        </button>
        {aliases.length > 0 && (
          <span className="max-w-64 truncate text-muted" title={listOf(aliases)}>
            {listOf(aliases)}
          </span>
        )}
        {model.lifecycle.status !== 'active' && <Badge look="warning">{model.lifecycle.status}</Badge>}
      </span>,
      tasks[task],
      task === 'rerank' ? '–' : formatCount(dimensions),
      formatCount(max_input_tokens),
      <span className="block sm:max-w-40 sm:truncate">{listOf(languages)}</span>,
      dtype ?? '–',
      used ? formatCount(used.counted + used.cached) : '0',
    );
  };
  return (
    <OrganizationPage title="Models">
      <Loaded query={models} placeholder={<SkeletonRows rows={2} />}>
        {(all) => {
          const own = all.filter(({ alias_of }) => alias_of === undefined);
          const opened = own.find(({ id }) => id === openedId);
          const aliasesOf = (model: Model): string[] =>
            all.filter(({ alias_of }) => alias_of === model.id).map(({ id }) => id);
          return (
            <>
              <Table
                caption="Models"
                columns={columns}
                rows={own.map((model) => rowOf(model, aliasesOf(model)))}
              />
              <Opened id={openedId} what="model" row={opened} query={models} onClose={close}>
                {(model) => <ModelSheet model={model} aliases={aliasesOf(model)} onClose={close} />}
              </Opened>
            </>
          );
        }}
      </Loaded>
    </OrganizationPage>
  );
}

interface SheetProps {
  model: Model;
  aliases: readonly string[];
  onClose: () => void;
}

function ModelSheet({ model, aliases, onClose }: SheetProps) {
  const { id, task, fingerprint, dimensions, max_input_tokens, max_inputs, pooling, dtype } = model;
  return (
    <Dialog look="side" title={id} onClose={onClose}>
      <Facts
        facts={{
          Task: tasks[task],
          Aliases: aliases.length > 0 ? listOf(aliases) : null,
          Fingerprint: <CopyValue value={fingerprint} name="fingerprint" />,
          Dimensions: task === 'rerank' ? null : formatCount(dimensions),
          'Tokens per text': formatCount(max_input_tokens),
          'Texts per request': formatCount(max_inputs),
          Languages: listOf(model.languages),
          Pooling: pooling ?? null,
          Weights: dtype ?? null,
          'Input types': model.input_types.length > 0 ? listOf(model.input_types) : null,
        }}
      />
      {task === 'embed' && (
        <section aria-labelledby="example" className="grid gap-2">
          <h3 id="example" className="font-semibold">
            Use it
          </h3>
          <Example secret="YOUR_KEY" model={id} />
        </section>
      )}
    </Dialog>
  );
}
