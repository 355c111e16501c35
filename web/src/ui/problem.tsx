import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

interface Props {
  error: Error | null;
  onRetry?: (() => void) | undefined;
}

/** An error in the server's words, or nothing without an error. */
export function Problem({ error, onRetry }: Props) {
  if (!error) return null;
  return (
    <Notice look="danger" role="alert">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p>{error.message}</p>
        {onRetry && <Button onClick={onRetry}>Try again</Button>}
      </div>
    </Notice>
  );
}
