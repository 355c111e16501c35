import type { Exchange } from '../../../api/embeddings.ts';
import { HeatMap } from '../../../charts/heat-map.tsx';
import { similaritiesOf } from '../../../charts/similarity.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Notice } from '../../../ui/notice.tsx';

const shownChars = 4_000;

interface Props {
  texts: readonly string[];
  exchange: Exchange;
}

/** The answer: what it means, and word for word. */
export function ExchangeView({ texts, exchange }: Props) {
  const { status, headers, body, embeddings, tookMs } = exchange;
  return (
    <>
      <Card
        title="Similarities"
        actions={
          <p role="status" className="flex items-center gap-2">
            <Badge look={embeddings ? 'success' : 'danger'}>{String(status)}</Badge>
            {embeddings && <Badge>{embeddings.cached ? 'cached, not counted' : 'computed, counted'}</Badge>}
            <span className="text-muted tabular-nums">{Math.round(tookMs)} ms</span>
          </p>
        }
      >
        {embeddings ? (
          <HeatMap labels={texts} similarities={similaritiesOf(embeddings.data.map(vectorOf))} />
        ) : (
          <Notice look="danger">The request was refused. The response below says why.</Notice>
        )}
      </Card>
      <Card title="Response" actions={<CopyButton text={body} label="Copy response" />}>
        <Raw label="Response body" text={body.length > shownChars ? `${body.slice(0, shownChars)}…` : body} />
      </Card>
      <Card title="Headers">
        <Raw label="Response headers" text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')} />
      </Card>
    </>
  );
}

function vectorOf({ embedding }: { embedding: number[] | string }): readonly number[] {
  if (typeof embedding === 'string') throw new Error('asked for numbers, not for base64');
  return embedding;
}

function Raw({ label, text }: { label: string; text: string }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the arrow keys
      tabIndex={0}
      className="max-h-72 overflow-auto rounded bg-raised p-3"
    >
      <pre className="whitespace-pre-wrap break-all text-xs">{text}</pre>
    </section>
  );
}
