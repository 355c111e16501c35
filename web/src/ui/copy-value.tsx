import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { copyText } from './copy-text.ts';

interface Props {
  value: string;
  /** What the value is, such as `key ID`. */
  name: string;
}

const confirmedForMs = 2_000;

/** An identifier, with a button that copies it. */
export function CopyValue({ value, name }: Props) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  const isCopied = outcome === 'copied';
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setOutcome(null), confirmedForMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <span className="inline-flex min-w-0 max-w-full items-center gap-1">
      <code className="min-w-0 truncate font-mono text-xs" title={value}>
        {value}
      </code>
      <Button
        look="icon"
        aria-label={`Copy the ${name}`}
        onClick={async () => setOutcome((await copyText(value)) ? 'copied' : 'failed')}
      >
        {isCopied ? <Check aria-hidden className="text-success" /> : <Copy aria-hidden />}
      </Button>
      <span aria-live="polite" className="sr-only">
        {isCopied ? 'Copied' : ''}
      </span>
      {outcome === 'failed' && (
        <span role="alert" className="text-danger text-xs">
          The browser didn’t allow it. Select the text and copy it yourself.
        </span>
      )}
    </span>
  );
}
