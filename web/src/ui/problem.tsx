import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/** An error in the server's words, or nothing without a message. */
export function Problem({ error, onRetry }: { error: Error | null; onRetry?: (() => void) | undefined }) {
  if (!error?.message) return null;
  return (
    <Notice look="danger" role="alert">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p>{error.message}</p>
        {onRetry && <Button onClick={onRetry}>Try again</Button>}
      </div>
    </Notice>
  );
}
