import type { Exchange } from '../../../api/embeddings.ts';
import { HeatMap } from '../../../charts/heat-map.tsx';
import { similaritiesOf } from '../../../charts/similarity.ts';
import { formatCount } from '../../../lib/format.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Notice } from '../../../ui/notice.tsx';

/** A vector's first numbers, and the rest of them. */
const longVector = /\[((?:-?[\d.e-]+,){4})([^\]]+)\]/g;

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
      <Card title="Response" actions={<CopyButton text={body} label="Copy all of it" />}>
        <CodeBlock wrapped className="max-h-72" label="Response body" text={abridged(body)} />
      </Card>
      <Card title="Headers">
        <CodeBlock
          wrapped
          className="max-h-72"
          label="Response headers"
          text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
        />
      </Card>
    </>
  );
}

function vectorOf({ embedding }: { embedding: number[] | string }): readonly number[] {
  if (typeof embedding === 'string') throw new Error('asked for numbers, not for base64');
  return embedding;
}

/** Word for word but for the numbers of vectors, which hide all else. */
const abridged = (body: string): string =>
  body.replace(
    longVector,
    (_, first: string, rest: string) => `[${first} … ${formatCount(rest.split(',').length)} more]`,
  );
