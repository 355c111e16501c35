import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '../../app.ts';
import { readConfig } from '../../config/config.ts';
import { bootstrap } from '../../service/bootstrap.ts';
import { openServices } from '../../service/services.ts';
import { fields } from '../table.ts';

/** The results of the demo, in chronological order. */
export interface Demo {
  readonly address: string;
  readonly model: string;
  readonly dimensions: number;
  readonly sentences: readonly string[];
  /** Cosine similarities; `pair` holds indexes into `sentences`. */
  readonly similarities: readonly { readonly pair: readonly [number, number]; readonly cosine: number }[];
  readonly computed: Seen;
  readonly cached: Seen;
  readonly limited: Seen;
  readonly revoked: Seen;
}

/** A response without its vectors. */
interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cached?: boolean;
  readonly error?: { readonly error: string; readonly message: string };
}

/** The fields of an embeddings response or an error that the demo uses. */
interface Body {
  readonly model?: string;
  readonly cached?: boolean;
  readonly data?: readonly { readonly embedding: readonly number[] }[];
  readonly error?: string;
  readonly message?: string;
}

const sentences = [
  'How do I reset my password?',
  'I forgot my login and need a new password.',
  'The ferry to the island leaves at noon.',
];
const shownHeader = /^(x-ratelimit-.*|ratelimit.*|retry-after|x-should-retry)$/;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs the demo over HTTP against a service of its own, and removes all traces, even if it fails or is interrupted. */
export async function runDemo(): Promise<Demo> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new Error('The demo was interrupted'));
  for (const signal of signals) process.once(signal, interrupt);
  try {
    return await play(interruption.signal);
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
  }
}

async function play(signal: AbortSignal): Promise<Demo> {
  await using opened = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'embedgate-demo-'));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  // Ignores the caller's environment, and so their data and their keys.
  const services = await openServices(
    readConfig({ DATA_DIR: dataDir, EMBEDDING_WORKERS: '1', LOG_LEVEL: 'warn' }),
  );
  opened.defer(() => services.close());
  const app = await buildApp(services);
  opened.defer(async () => app.close());
  await services.models.loaded;
  const address = await app.listen({ host: services.config.host, port: 0 });
  const first = await bootstrap(services);
  if (!first) throw new Error('The temporary data directory was not empty');

  const embed = async (input: readonly string[]): Promise<{ seen: Seen; body: Body }> => {
    const response = await fetch(`${address}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${first.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input }),
      signal,
    });
    const body = (await response.json()) as Body;
    const { cached, error, message } = body;
    const headers = Object.fromEntries([...response.headers].filter(([name]) => shownHeader.test(name)));
    return {
      body,
      seen: {
        status: response.status,
        headers,
        ...(cached !== undefined && { cached }),
        ...(error !== undefined && message !== undefined && { error: { error, message } }),
      },
    };
  };

  const { seen: computed, body } = await embed(sentences);
  const { seen: cached } = await embed(sentences);
  const limit = { amount: 1, window: 'month' } as const;
  await services.organizations.setTier(first.organization.orgId, 'enterprise', limit);
  const { seen: limited } = await embed(['A sentence that was not there before.']);
  await services.keys.revoke(first.key.keyId);
  const { seen: revoked } = await embed(sentences);
  const vectors = (body.data ?? []).map(({ embedding }) => embedding);
  return {
    address,
    model: body.model ?? '',
    dimensions: vectors[0]?.length ?? 0,
    sentences,
    similarities: similaritiesOf(vectors),
    computed,
    cached,
    limited,
    revoked,
  };
}

/** The vectors have length 1, so their product is the cosine. */
function similaritiesOf(vectors: readonly (readonly number[])[]): Demo['similarities'] {
  return vectors.flatMap((a, i) =>
    vectors.slice(i + 1).map((b, j) => ({
      pair: [i, i + 1 + j] as const,
      cosine: a.reduce((sum, value, at) => sum + value * b[at]!, 0),
    })),
  );
}

const barLength = 30;
const standingHeaders = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit-policy',
  'ratelimit',
];

/** Returns the demo as readable text. */
export function demoText(demo: Demo): string {
  return [
    `Embedgate with ${demo.model} on ${demo.address}`,
    section('1. Three sentences in, three vectors out: how similar are they?', [
      ...demo.sentences.map((sentence, i) => `${letter(i)}  ${sentence}`),
      '',
      ...demo.similarities.map(similarityLine),
      '',
      `${request(demo.computed)}, ${demo.dimensions} numbers a vector`,
    ]),
    section(
      '2. Every response shows the quota of the organization',
      headerLines(demo.computed, standingHeaders),
    ),
    section('3. The same request again comes from the cache: nothing is computed, nothing is counted', [
      `${request(demo.cached)}, "cached": ${demo.cached.cached}`,
      ...headerLines(demo.cached, ['x-ratelimit-remaining']),
    ]),
    section('4. The limit is set to 1 request a month and used up: the next text is refused', [
      request(demo.limited),
      JSON.stringify(demo.limited.error),
      ...headerLines(demo.limited, ['x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after']),
    ]),
    section('5. The key is revoked: the very next request is refused', [
      request(demo.revoked),
      JSON.stringify(demo.revoked.error),
    ]),
    '\nThe temporary data is deleted. To run your own service: npm start',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string {
  return ['', title, '', ...lines.map((line) => (line === '' ? '' : `   ${line}`))].join('\n');
}

function similarityLine({ pair: [a, b], cosine }: Demo['similarities'][number]): string {
  const filled = Math.round(Math.max(0, cosine) * barLength);
  return `${letter(a)} ~ ${letter(b)}  ${cosine.toFixed(2).padStart(5)}  ${'█'.repeat(filled)}${'░'.repeat(barLength - filled)}`;
}

function headerLines({ headers }: Seen, names: readonly string[]): string[] {
  return fields(names.map((name) => [`${name}:`, headers[name] ?? ''])).split('\n');
}

function request({ status }: Seen): string {
  return `POST /v1/embeddings → ${status}`;
}

function letter(index: number): string {
  return String.fromCharCode('a'.charCodeAt(0) + index);
}
