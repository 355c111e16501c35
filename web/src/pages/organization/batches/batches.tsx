import { useInfiniteQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { type Batch, batchesOf, batchesQuery, cancelBatch, hasEnded, runFile } from '../../../api/batches.ts';
import { useSave } from '../../../api/use-save.ts';
import { OrganizationPage } from '../../../frame/organization-page.tsx';
import { base } from '../../../lib/base.ts';
import { formatBytes, formatShare } from '../../../lib/format.ts';
import { useOpened } from '../../../lib/use-address.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { CopyButton } from '../../../ui/copy.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { LoadMore } from '../../../ui/load-more.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { BatchSheet } from './batch-sheet.tsx';
import { type BatchAction, BatchTable } from './batch-table.tsx';

const example =
  '{"custom_id": "1", "method": "POST", "url": "/v1/embeddings", "body": {"input": "The quick brown fox"}}';

const barLook =
  'is-data h-1.5 min-w-24 flex-1 appearance-none overflow-hidden rounded-full bg-surface ' +
  '[&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-surface [&::-webkit-progress-value]:bg-accent';

/** Files of requests that run behind all others. */
export default function Batches() {
  const { org_id: orgId, may } = useOrganization();
  const [opened, open, closeDetails] = useOpened('batch');
  const list = useInfiniteQuery(batchesQuery(orgId));
  const input = useRef<HTMLInputElement>(null);
  const sending = useRef<AbortController>(null);
  const [share, setShare] = useState(0);
  const [isOver, setOver] = useState(false);
  const [toCancel, setToCancel] = useState<Batch | null>(null);
  const mayChange = may.includes('batches.change');
  const changed = [batchesOf(orgId)];
  const close = () => setToCancel(null);
  const cancel = useSave((id: string) => cancelBatch(orgId, id), changed, close);
  const upload = useSave((file: File) => {
    setShare(0);
    sending.current = new AbortController();
    return runFile(orgId, file, { signal: sending.current.signal, onProgress: setShare });
  }, changed);
  const begin = (files: FileList | null) => {
    if (files?.[0] && mayChange && !upload.isPending) upload.mutate(files[0]);
  };
  const actionsOn = (batch: Batch): BatchAction[] => {
    if (!mayChange) return [];
    const files = { 'Download results': batch.output_file_id, 'Download errors': batch.error_file_id };
    const downloads = Object.entries(files).flatMap(([name, file]): BatchAction[] =>
      file ? [[name, `${base}/v1/organizations/${orgId}/files/${file}/content`]] : [],
    );
    const isOpen = !hasEnded(batch) && batch.status !== 'cancelling';
    return isOpen ? [...downloads, ['Cancel…', () => setToCancel(batch)]] : downloads;
  };
  const hint = mayChange
    ? 'To run a JSONL file, drop it here or choose New batch.'
    : 'Owners, admins and members create batches, and download results.';
  return (
    <OrganizationPage
      title="Batches"
      actions={
        mayChange && (
          <Button look="primary" pending={upload.isPending} onClick={() => input.current?.click()}>
            <Plus aria-hidden />
            New batch
          </Button>
        )
      }
    >
      <section
        aria-label="Batches"
        className={`grid min-h-[75dvh] grid-cols-1 content-start gap-4 ${isOver ? 'rounded-md outline-2 outline-accent outline-dashed outline-offset-8' : ''}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(mayChange);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          begin(event.dataTransfer.files);
        }}
      >
        {/* Without its value, the same file can be chosen again. */}
        <input ref={input} type="file" hidden value="" onChange={({ target }) => begin(target.files)} />
        {upload.isPending && (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md bg-raised px-3 py-2">
            <span dir="auto" className="min-w-0 truncate font-medium">
              {upload.variables.name}
            </span>
            <progress aria-label="Uploading" value={share} className={barLook} />
            <span className="text-muted tabular-nums">
              {formatShare(share)} of {formatBytes(upload.variables.size)}
            </span>
            <Button
              onClick={() => {
                sending.current?.abort();
                upload.reset();
              }}
            >
              Cancel
            </Button>
          </div>
        )}
        <Problem error={upload.error} onRetry={upload.variables && (() => upload.mutate(upload.variables))} />
        <LoadMore query={list} name="batches" rows={8}>
          {(batches) =>
            batches.length === 0 ? (
              <Empty title="There are no batches yet.">
                <p>
                  A batch runs each line of a JSONL file as a request, while no other request waits. When it
                  has ended, you download one file with all results.
                </p>
                <CodeBlock label="A line of a batch" text={example} wrapped className="text-left text-ink" />
                <CopyButton text={example} label="Copy the line" />
                <a href={`${base}/docs#batches`} className="text-accent underline">
                  How files and batches work
                </a>
              </Empty>
            ) : (
              <BatchTable
                batches={batches}
                freshId={upload.data?.id}
                actionsOn={actionsOn}
                onOpen={({ id }) => open(id)}
              />
            )
          }
        </LoadMore>
        {list.data && <p className="text-muted text-xs">{hint}</p>}
      </section>
      {opened && <BatchSheet batchId={opened} actionsOn={actionsOn} onClose={closeDetails} />}
      {toCancel && (
        <Confirm
          title={`Cancel “${toCancel.input_filename}”?`}
          description="Lines without a result won’t run. You can download the results so far. This can’t be undone."
          action="Cancel the batch"
          change={{ ...cancel, mutate: () => cancel.mutate(toCancel.id) }}
          onClose={close}
        />
      )}
    </OrganizationPage>
  );
}
