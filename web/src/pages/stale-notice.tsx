import { formatAgo } from '../lib/format.ts';
import { useNow } from '../lib/use-now.ts';
import { useStale } from '../lib/use-stale.ts';
import { Toast } from '../ui/toast.tsx';

/** A notice that the page can't be refreshed, shown for as long as that lasts. */
export function StaleNotice() {
  const { sinceMs, reason, retry } = useStale();
  if (sinceMs === null) return null;
  return (
    <Toast look="warning" action="Try again" onClose={retry}>
      <p className="font-medium">
        {reason === null ? 'The service can’t be reached.' : `This page can’t be refreshed. ${reason}`}
      </p>
      <LastUpdate atMs={sinceMs} />
    </Toast>
  );
}

function LastUpdate({ atMs }: { atMs: number }) {
  const nowMs = useNow(1_000);
  return (
    <p aria-live="off">
      Last updated {formatAgo(new Date(Math.min(atMs, nowMs)).toISOString(), nowMs)}. Reconnecting…
    </p>
  );
}
