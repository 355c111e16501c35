import type { LoggedRequest } from '../../../api/requests.ts';

const looks = {
  counted: 'bg-success',
  cached: 'border border-success',
  refused: 'bg-warning',
  failed: 'bg-danger',
} as const;

/** How a request ended: its status, and what that means for the quota. */
export function OutcomeMark({ request: { status, outcome, error } }: { request: LoggedRequest }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-2">
      <span aria-hidden className={`is-data size-2 shrink-0 rounded-full ${looks[outcome]}`} />
      <span className="tabular-nums">{status}</span>
      <span className="truncate text-muted">{error ?? outcome}</span>
    </span>
  );
}
