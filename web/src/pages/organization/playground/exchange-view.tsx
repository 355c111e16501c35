import type { Exchange } from '../../../api/embeddings.ts';
import { HeatMap } from '../../../charts/heat-map.tsx';
import { similaritiesOf } from '../../../charts/similarity.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ResponseCard } from './response-card.tsx';

/** More would not be readable. */
const maxCompared = 24;

interface Props {
  texts: readonly string[];
  exchange: Exchange;
}

/** The response: what it means, and its exact text. */
export function ExchangeView({ texts, exchange }: Props) {
  const { status, embeddings, tookMs } = exchange;
  return (
    <>
      <Card
        title="Similarities"
        actions={
          <p role="status" className="flex items-center gap-2">
            <Badge look={embeddings ? 'success' : 'danger'}>{String(status)}</Badge>
            {embeddings && (
              <Badge look={embeddings.cached ? 'success' : 'plain'}>
                {embeddings.cached ? 'cached, not counted' : 'computed, counted'}
              </Badge>
            )}
            <span className="text-muted tabular-nums">{Math.round(tookMs)} ms</span>
          </p>
        }
      >
        {embeddings ? (
          <>
            <HeatMap
              labels={texts.slice(0, maxCompared)}
              similarities={similaritiesOf(embeddings.data.slice(0, maxCompared).map(vectorOf))}
            />
            {texts.length > maxCompared && (
              <p className="pt-3 text-muted">The first {maxCompared} texts are compared.</p>
            )}
          </>
        ) : (
          <Notice look="danger">The request was refused. The response below says why.</Notice>
        )}
      </Card>
      <ResponseCard exchange={exchange} />
    </>
  );
}

function vectorOf({ embedding }: { embedding: number[] | string }): readonly number[] {
  if (typeof embedding === 'string') throw new Error('asked for numbers, not for base64');
  return embedding;
}
