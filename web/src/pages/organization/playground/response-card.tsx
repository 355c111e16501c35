import { useState } from 'react';
import type { Exchange } from '../../../api/embeddings.ts';
import { formatCount } from '../../../lib/format.ts';
import { Card } from '../../../ui/card.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Segmented } from '../../../ui/segmented.tsx';

const views = { readable: 'Readable', raw: 'Raw', headers: 'Headers' };

/** A vector's first numbers, and the rest of them. */
const longVector = /\[((?:\s*-?[\d.e-]+,){3})([^\]]+)\]/g;

/** The response: readable, as exact text, and its headers. */
export function ResponseCard({ exchange: { body, headers } }: { exchange: Exchange }) {
  const [view, setView] = useState<keyof typeof views>('readable');
  const texts = {
    readable: () => readable(body),
    raw: () => body,
    headers: () => headers.map(([name, value]) => `${name}: ${value}`).join('\n'),
  };
  const text = texts[view]();
  return (
    <Card
      title="Response"
      actions={
        <>
          <Segmented legend="Part of the response" options={views} value={view} onChange={setView} />
          <CopyButton text={text} />
        </>
      }
    >
      <CodeBlock wrapped className="h-72" label={`Response, ${views[view]}`} text={text} />
    </Card>
  );
}

/** Returns the text with indentation, and without most numbers of its vectors, which would hide everything else. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2).replace(
      longVector,
      (_, first: string, rest: string) =>
        `[${first.replace(/\s+/g, ' ').trim()} … ${formatCount(rest.split(',').length)} more]`,
    );
  } catch {
    // A proxy in between may return something other than JSON.
    return body;
  }
}
