import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/** An error in the server's words, or nothing without a message. */
export function Problem({ error, onRetry }: { error: Error | null; onRetry?: (() => void) | undefined }) {
  // An ended session has no message, because a dialog says so, but what failed can be tried again.
  if (!error || !(error.message || onRetry)) return null;
  return (
    <Notice look="danger" role="alert">
      <div className="flex flex-wrap items-center justify-between gap-2">
        {error.message && <p>{error.message}</p>}
        {onRetry && <Button onClick={onRetry}>Try again</Button>}
      </div>
    </Notice>
  );
}
