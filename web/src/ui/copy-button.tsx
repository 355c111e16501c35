import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { copyText } from './copy-text.ts';

const confirmedForMs = 2_000;

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (outcome !== 'copied') return;
    const timer = setTimeout(() => setOutcome(null), confirmedForMs);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async () => setOutcome((await copyText(text)) ? 'copied' : 'failed');
  return (
    <span className="inline-grid justify-items-start gap-1">
      <Button onClick={copy}>
        <span aria-live="polite">{outcome === 'copied' ? 'Copied' : label}</span>
      </Button>
      {outcome === 'failed' && (
        <span role="alert" className="max-w-40 text-danger text-xs">
          The browser didn’t allow it. Select the text and copy it yourself.
        </span>
      )}
    </span>
  );
}
