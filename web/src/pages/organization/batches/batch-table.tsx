import { type Batch, hasEnded } from '../../../api/batches.ts';
import { formatAgo, formatCount, formatMoment, isoOf } from '../../../lib/format.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Badge, type BadgeLook } from '../../../ui/badge.tsx';
import { MenuItem, MenuLink, RowMenu } from '../../../ui/menu.tsx';
import { actions, row, Table } from '../../../ui/table.tsx';

/** The name of something to do with a batch, and the address of a download or what it does. */
export type BatchAction = readonly [name: string, does: string | (() => void)];

interface Props {
  batches: readonly Batch[];
  /** The batch that has just been created. */
  freshId: string | undefined;
  actionsOn: (batch: Batch) => readonly BatchAction[];
  onOpen: (batch: Batch) => void;
}

const columns = ['File', 'Status', 'Progress', { name: 'Model', isExtra: true }, 'Created', actions];

/** Batches, one in each row. A row opens its details. */
export function BatchTable({ batches, freshId, actionsOn, onOpen }: Props) {
  const nowMs = useNow(1_000);
  const rowOf = (batch: Batch) => ({
    onOpen: () => onOpen(batch),
    isFresh: batch.id === freshId,
    ...row(
      batch.id,
      <button
        type="button"
        title={batch.input_filename}
        dir="auto"
        className="block max-w-full truncate font-medium hover:underline sm:max-w-48 xl:max-w-80"
        onClick={() => onOpen(batch)}
      >
        {batch.input_filename}
      </button>,
      <BatchStatus batch={batch} />,
      <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1 max-sm:pt-1 sm:w-72">
        <BatchProgress batch={batch} bar="w-20" />
      </span>,
      <span className="block max-w-56 truncate text-muted" title={batch.model ?? undefined}>
        {batch.model ?? '–'}
      </span>,
      <span title={formatMoment(isoOf(batch.created_at))}>{formatAgo(isoOf(batch.created_at), nowMs)}</span>,
      actionsOn(batch).length > 0 && (
        <RowMenu name={batch.input_filename}>
          {actionsOn(batch).map(([name, does]) =>
            typeof does === 'string' ? (
              <MenuLink key={name}>
                <a href={does} download>
                  {name}
                </a>
              </MenuLink>
            ) : (
              <MenuItem key={name} onSelect={does}>
                {name}
              </MenuItem>
            ),
          )}
        </RowMenu>
      ),
    ),
  });
  return <Table caption="Batches" columns={columns} rows={batches.map(rowOf)} />;
}

export const statuses: Readonly<Record<Batch['status'], readonly [name: string, look: BadgeLook]>> = {
  validating: ['Validating', 'busy'],
  in_progress: ['Running', 'busy'],
  finalizing: ['Finishing', 'busy'],
  completed: ['Completed', 'success'],
  failed: ['Failed', 'danger'],
  expired: ['Expired', 'warning'],
  cancelling: ['Cancelling', 'plain'],
  cancelled: ['Cancelled', 'plain'],
};

export const waitsFor = (batch: Batch): string | null => (hasEnded(batch) ? null : batch.waits_for);

export function BatchStatus({ batch }: { batch: Batch }) {
  const [name, look] = statuses[batch.status];
  return waitsFor(batch) ? <Badge look="warning">Waiting</Badge> : <Badge look={look}>{name}</Badge>;
}

/** How many lines have a result or an error, or the first fault of the file. `bar`: the width of the bar. */
export function BatchProgress({ batch, bar }: { batch: Batch; bar: string }) {
  const { completed, failed, total } = batch.request_counts;
  const [fault] = batch.errors?.data ?? [];
  if (fault)
    return <span className="truncate text-muted">{`Line ${fault.line ?? '–'}: ${fault.message}`}</span>;
  if (total === 0) return <span className="text-muted">–</span>;
  const width = (count: number) => ({ width: `${(100 * count) / total}%` });
  return (
    <>
      <span aria-hidden className={`flex h-1.5 shrink-0 overflow-hidden rounded-full bg-raised ${bar}`}>
        <span className="is-data bg-counted transition-[width] duration-500" style={width(completed)} />
        <span className="is-data bg-failed transition-[width] duration-500" style={width(failed)} />
      </span>
      <span className="text-muted tabular-nums">
        <span className="text-ink">{formatCount(completed + failed)}</span> of {formatCount(total)}
        {failed > 0 && <span className="text-danger"> · {formatCount(failed)} failed</span>}
      </span>
    </>
  );
}
