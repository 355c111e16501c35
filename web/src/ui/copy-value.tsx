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
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), confirmedForMs);
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
        onClick={async () => setCopied(await copyText(value))}
      >
        {isCopied ? <Check aria-hidden className="text-success" /> : <Copy aria-hidden />}
      </Button>
      <span aria-live="polite" className="sr-only">
        {isCopied ? 'Copied' : ''}
      </span>
    </span>
  );
}
