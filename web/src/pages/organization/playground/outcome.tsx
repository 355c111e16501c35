import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { EmbeddingRequest, Exchange } from '../../../api/embeddings.ts';
import { HeatMap } from '../../../charts/heat-map.tsx';
import { similaritiesOf, similarOrder } from '../../../charts/similarity.ts';
import { formatCount, formatLatency, formatMoment } from '../../../lib/format.ts';
import { Badge } from '../../../ui/badge.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { CopyButton } from '../../../ui/copy.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Select } from '../../../ui/select.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { Tabs, useTab } from '../../../ui/tabs.tsx';

/** More would not be readable. */
const maxCompared = 50;
const tabs = {
  similarity: 'Similarity',
  vector: 'Vector',
  response: 'Response',
  headers: 'Headers',
} as const;

interface Props {
  orgId: string;
  request: EmbeddingRequest;
  exchange: Exchange;
}

/** The response: what it means, and its exact text. */
export function Outcome({ orgId, request: { input }, exchange }: Props) {
  const { status, embeddings, tookMs, headers, body } = exchange;
  const wanted = useTab(tabs);
  const tab = embeddings || wanted === 'headers' ? wanted : 'response';
  const refusal = refusalOf(exchange);
  return (
    <>
      <p role="status" className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Badge look={embeddings ? 'success' : 'danger'}>{String(status)}</Badge>
        {embeddings && <span>{embeddings.cached ? 'From the cache, not counted' : 'Counted'}</span>}
        {embeddings && (
          <span className="text-muted tabular-nums">
            {formatCount(embeddings.usage.prompt_tokens)} tokens
          </span>
        )}
        <span className="text-muted tabular-nums">{formatLatency(tookMs)}</span>
      </p>
      {refusal && (
        <Notice look="danger" role="alert">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p>{refusal.text}</p>
            {refusal.isQuota && (
              <Link to="/organizations/$orgId/plan" params={{ orgId }} className="underline">
                Raise the limit
              </Link>
            )}
          </div>
        </Notice>
      )}
      <Tabs label="Parts of the response" tabs={tabs} value={tab} />
      {tab === 'similarity' && embeddings && (
        <Similarity texts={input} vectors={embeddings.data.map(vectorOf)} />
      )}
      {tab === 'vector' && embeddings && <Vectors texts={input} vectors={embeddings.data.map(vectorOf)} />}
      {tab === 'response' && <Text label="Response" text={readable(body)} whole={body} />}
      {tab === 'headers' && (
        <Text label="Headers" text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')} />
      )}
    </>
  );
}

interface VectorProps {
  texts: readonly string[];
  vectors: readonly (readonly number[])[];
}

function Similarity({ texts, vectors }: VectorProps) {
  const [isSorted, setSorted] = useState(false);
  const similarities = similaritiesOf(vectors.slice(0, maxCompared));
  if (texts.length === 1) return <Notice>Add another text on a line of its own to compare the two.</Notice>;
  return (
    <div className="grid grid-cols-1 gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-muted">
          {texts.length > maxCompared
            ? `The first ${maxCompared} texts are compared.`
            : 'Cosine similarity of each pair'}
        </p>
        <Switch label="Sort by similarity" checked={isSorted} onChange={setSorted} />
      </div>
      <HeatMap
        labels={texts.slice(0, maxCompared)}
        similarities={similarities}
        order={isSorted ? similarOrder(similarities) : [...similarities.keys()]}
      />
    </div>
  );
}

function Vectors({ texts, vectors }: VectorProps) {
  const [place, setPlace] = useState(0);
  const vector = vectors[place] ?? [];
  return (
    <div className="grid grid-cols-1 gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Select
          aria-label="Text"
          options={Object.fromEntries(texts.map((text, each) => [each, text]))}
          value={String(place)}
          onChange={(chosen) => setPlace(Number(chosen))}
        />
        <CopyButton text={JSON.stringify(vector)} label="Copy vector" />
      </div>
      <CodeBlock wrapped className="h-72" label="Vector" text={`[${vector.join(', ')}]`} />
    </div>
  );
}

function Text({ label, text, whole = text }: { label: string; text: string; whole?: string }) {
  return (
    <div className="grid grid-cols-1 gap-2">
      <div className="justify-self-end">
        <CopyButton text={whole} />
      </div>
      <CodeBlock wrapped className="h-80" label={label} text={text} />
    </div>
  );
}

function vectorOf({ embedding }: { embedding: number[] | string }): readonly number[] {
  if (typeof embedding === 'string') throw new Error('asked for numbers, not for base64');
  return embedding;
}

/** A vector's first numbers, and the rest of them. */
const longVector = /\[((?:\s*-?[\d.e-]+,){3})([^\]]+)\]/g;

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

/** Returns why a request was refused and what to do about it, or null if it was not. */
function refusalOf({
  status,
  headers,
  body,
  embeddings,
}: Exchange): { text: string; isQuota: boolean } | null {
  if (embeddings) return null;
  const isQuota = status === 429;
  if (isQuota) {
    const reset = headers.find(([name]) => name === 'x-ratelimit-reset')?.[1];
    const when = reset ? ` It resets on ${formatMoment(reset)}.` : '';
    return { text: `A limit or the quota is used up.${when}`, isQuota };
  }
  return { text: messageOf(body) ?? `The service returned status ${status}.`, isQuota };
}

function messageOf(body: string): string | null {
  try {
    const { message } = JSON.parse(body);
    return typeof message === 'string' ? message : null;
  } catch {
    return null;
  }
}
