import { Check, Copy } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { copyText } from './copy-text.ts';

const confirmedForMs = 2_000;

interface Props {
  text: string;
  label?: string;
  /** The icon that the button shows instead of its label. */
  children?: (isCopied: boolean) => ReactNode;
}

/** Copies a text, and says so. */
export function CopyButton({ text, label = 'Copy', children }: Props) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  const isCopied = outcome === 'copied';
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setOutcome(null), confirmedForMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <span className="inline-grid justify-items-start gap-1">
      <Button
        look={children ? 'icon' : 'secondary'}
        aria-label={children && label}
        onClick={async () => setOutcome((await copyText(text)) ? 'copied' : 'failed')}
      >
        {children?.(isCopied)}
        <span aria-live="polite" className={children ? 'sr-only' : ''}>
          {isCopied ? 'Copied' : !children && label}
        </span>
      </Button>
      {outcome === 'failed' && (
        <span role="alert" className="max-w-40 text-danger text-xs">
          The browser didn’t allow it. Select the text and copy it yourself.
        </span>
      )}
    </span>
  );
}

/** An identifier, with a button that copies it. `name` says what it is, such as `key ID`. */
export function CopyValue({ value, name }: { value: string; name: string }) {
  return (
    <span className="inline-flex min-w-0 max-w-full items-center gap-1">
      <code className="min-w-0 truncate font-mono text-xs" title={value}>
        {value}
      </code>
      <CopyButton text={value} label={`Copy the ${name}`}>
        {(isCopied) => (isCopied ? <Check aria-hidden className="text-success" /> : <Copy aria-hidden />)}
      </CopyButton>
    </span>
  );
}
