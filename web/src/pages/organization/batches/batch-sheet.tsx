import { useQuery } from '@tanstack/react-query';
import { type Batch, batchQuery, hasEnded } from '../../../api/batches.ts';
import { formatCount, formatMoment, formatTime, isoOf } from '../../../lib/format.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { CopyValue } from '../../../ui/copy.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { row, Table } from '../../../ui/table.tsx';
import { type BatchAction, BatchProgress, BatchStatus, statuses, waitsFor } from './batch-table.tsx';

interface Props {
  batchId: string;
  actionsOn: (batch: Batch) => readonly BatchAction[];
  onClose: () => void;
}

/** Everything about a batch. */
export function BatchSheet({ batchId, actionsOn, onClose }: Props) {
  const query = useQuery(batchQuery(useOrganization().org_id, batchId));
  return (
    <Dialog look="side" title={query.data?.input_filename ?? 'Batch'} onClose={onClose}>
      <Loaded query={query} placeholder={<SkeletonRows rows={8} />}>
        {(batch) => (
          <>
            <div className="grid gap-2">
              <BatchStatus batch={batch} />
              {!batch.errors && <BatchProgress batch={batch} bar="w-full" />}
            </div>
            {waitsFor(batch) && <Notice look="warning">{waitsFor(batch)}</Notice>}
            <div className="flex flex-wrap gap-2 empty:hidden">
              {actionsOn(batch).map(([name, does]) =>
                typeof does === 'string' ? (
                  <ButtonLink key={name} href={does} download>
                    {name}
                  </ButtonLink>
                ) : (
                  <Button key={name} onClick={does}>
                    {name}
                  </Button>
                ),
              )}
            </div>
            {batch.errors && <Faults faults={batch.errors.data} />}
            <Timeline batch={batch} />
            <Facts facts={factsOf(batch)} />
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

/** What is wrong with the file, by line. */
function Faults({ faults }: { faults: NonNullable<Batch['errors']>['data'] }) {
  const rows = faults.map(({ line, message, code }, place) =>
    row(
      String(place),
      line === null ? 'The file' : `Line ${formatCount(line)}`,
      <span className="block whitespace-normal">{message}</span>,
      <code className="font-mono text-muted text-xs">{code}</code>,
    ),
  );
  return <Table caption="Faults of the file" columns={['Where', 'Message', 'Code']} rows={rows} />;
}

/** What happened when, and what comes next. */
function Timeline({ batch }: { batch: Batch }) {
  const ended = batch.completed_at ?? batch.failed_at ?? batch.expired_at ?? batch.cancelled_at;
  const steps: [name: string, at: number | null][] = [
    ['Created', batch.created_at],
    ['Started', batch.in_progress_at],
    ['Cancelling', batch.cancelling_at],
    hasEnded(batch) ? [statuses[batch.status][0], ended] : ['Expires', batch.expires_at],
  ];
  const dot = 'before:-ml-[4.5px] before:size-2 before:is-data before:rounded-full before:bg-accent';
  const next = hasEnded(batch) ? '' : 'last:text-muted last:before:bg-edge';
  return (
    <ol aria-label="Timeline" className="ml-1 grid gap-2 border-line border-l">
      {steps.map(
        ([name, at]) =>
          at && (
            <li
              key={name}
              title={formatMoment(isoOf(at))}
              className={`flex items-center gap-3 ${dot} ${next}`}
            >
              {name} <span className="ml-auto text-muted tabular-nums">{formatTime(isoOf(at))}</span>
            </li>
          ),
      )}
    </ol>
  );
}

function factsOf(batch: Batch) {
  const { fits, requests, remaining, resets_at } = batch.quota;
  const left = remaining === null ? '' : `, with ${formatCount(remaining)} left`;
  const reset = fits || resets_at === null ? '' : `. The rest waits until ${formatMoment(isoOf(resets_at))}`;
  const ids = {
    'Batch ID': batch.id,
    'Input file ID': batch.input_file_id,
    'Results file ID': batch.output_file_id,
    'Errors file ID': batch.error_file_id,
  };
  return {
    Texts: formatCount(batch.texts),
    Tokens: formatCount(batch.usage.total_tokens),
    'From the cache': `${formatCount(batch.cached_requests)} requests`,
    Model: batch.model,
    Endpoint: batch.endpoint,
    Quota: `${formatCount(requests)} requests${left}${reset}`,
    ...Object.fromEntries(
      Object.entries(ids).map(([name, id]) => [name, id && <CopyValue value={id} name={name} />]),
    ),
  };
}
