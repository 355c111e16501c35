import { type EmbedResponse, embedClient } from './client.ts';
import { startThrowAwayService, type ThrowAwayService } from './throw-away-service.ts';

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
export interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cached?: boolean;
  readonly error?: { readonly error: string; readonly message: string };
}

const sentences = [
  'How do I reset my password?',
  'I forgot my login and need a new password.',
  'The ferry to the island leaves at noon.',
];
const shownHeader = /^(x-ratelimit-.*|ratelimit.*|retry-after|x-should-retry)$/;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Starts a service, runs the demo over HTTP and removes all traces, even if the demo fails or is interrupted. */
export async function runDemo(): Promise<Demo> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new Error('The demo was interrupted'));
  for (const signal of signals) process.once(signal, interrupt);
  try {
    await using service = await startThrowAwayService();
    return await play(service, interruption.signal);
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
  }
}

async function play({ address, first, admin }: ThrowAwayService, signal: AbortSignal): Promise<Demo> {
  const embed = embedClient(address, first.secret, signal);
  const computed = await embed(sentences, 200);
  const cached = await embed(sentences, 200);
  const vectors = (computed.body.data ?? []).map(({ embedding }) => embedding);

  await admin.organizations.setTier(first.organization.orgId, 'enterprise', { requests: 1, window: 'month' });
  const limited = await embed(['A sentence that was not there before.'], 429);
  await admin.keys.revoke(first.key.keyId);
  const revoked = await embed(sentences, 401);

  return {
    address,
    model: computed.body.model ?? '',
    dimensions: vectors[0]?.length ?? 0,
    sentences,
    similarities: similaritiesOf(vectors),
    computed: seen(computed),
    cached: seen(cached),
    limited: seen(limited),
    revoked: seen(revoked),
  };
}

function seen({ status, headers, body: { cached, error, message } }: EmbedResponse): Seen {
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => shownHeader.test(name))),
    ...(cached !== undefined && { cached }),
    ...(error !== undefined && message !== undefined && { error: { error, message } }),
  };
}

function similaritiesOf(vectors: readonly (readonly number[])[]): Demo['similarities'] {
  return vectors.flatMap((a, i) =>
    vectors.slice(i + 1).map((b, j) => ({ pair: [i, i + 1 + j] as const, cosine: cosine(a, b) })),
  );
}

function cosine(a: readonly number[], b: readonly number[]): number {
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}
