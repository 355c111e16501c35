import { useEffect, useState } from 'react';
import { Button } from './button.tsx';

const confirmedForMs = 2_000;

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [outcome, setOutcome] = useState<'Copied' | 'Select and copy it by hand' | null>(null);
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(null), confirmedForMs);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('Copied');
    } catch {
      // No clipboard without https, or none allowed.
      setOutcome('Select and copy it by hand');
    }
  };
  return (
    <Button onClick={copy}>
      <span aria-live="polite">{outcome ?? label}</span>
    </Button>
  );
}
