import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { type ListeningApp, listeningApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openPostgres } from '../../helpers/postgres.ts';
import { Random } from '../../helpers/random.ts';
import { ownPostgres } from '../../helpers/replicas.ts';
import { reply, sound, UpstreamServer } from '../../helpers/upstream-server.ts';

/** Histories that run at the same time. Each has an organization of its own. */
const atATime = 16;
/** Larger than what a history can use. */
const roomy = 1_000_000;
const longText = 'too long '.repeat(300);
const poison = 'poison';

interface Answer {
  readonly status: number;
  readonly cached: boolean;
  readonly tokens: number;
}

export const databases = ['SQLite', 'Postgres'] as const;
export const engines = ['built-in model', 'upstream'] as const;

/**
 * Runs random histories of embedding requests over HTTP, each with an organization of its own, and checks afterwards
 * that all vectors that the organization can read were counted. Throws with the seed of the first history in which one
 * was not.
 */
export async function runHistories(
  database: (typeof databases)[number],
  engine: (typeof engines)[number],
  { seed, count }: { seed: number; count: number },
): Promise<void> {
  await using postgres = database === 'Postgres' ? await openPostgres() : undefined;
  await using upstream = engine === 'upstream' ? await new UpstreamServer().listen() : undefined;
  if (upstream) upstream.otherwise = refuseSome;
  await using app = await listeningApp({
    environment: {
      ...(postgres && ownPostgres(await postgres.createDatabase())),
      ...(upstream && {
        EMBEDDING_UPSTREAM_URL: upstream.url,
        EMBEDDING_MODEL: 'theirs',
        EMBEDDING_MAX_TOKENS: '256',
      }),
    },
  });
  for (let from = seed; from < seed + count; from += atATime) {
    const seeds = Array.from({ length: Math.min(atATime, seed + count - from) }, (_, i) => from + i);
    const histories = await Promise.all(seeds.map((own) => History.run(app, own)));
    // What clients have left behind can outlast their requests.
    await eventually(() => isIdle(app));
    for (const history of histories) {
      await history.check().catch((reason) => {
        throw new Error(`The history with HISTORIES_SEED=${history.seed} failed: ${database}, ${engine}`, {
          cause: reason,
        });
      });
    }
  }
}

const isIdle = ({ services: { load, models } }: ListeningApp): boolean =>
  load.requests === 0 &&
  models.all.every(({ queue }) => queue.runningBatches + queue.waitingTexts + queue.admittedTokens === 0);

/** Refuses some texts, as upstreams do, and counts other tokens than the service estimates. */
const refuseSome: UpstreamServer['otherwise'] = (response, request) => {
  if (request.input.some((text) => text.startsWith(poison)))
    return reply(400, { error: { message: 'This text is not allowed' } })(response);
  if (request.input.some((text) => text.length > 1_000))
    return reply(413, { error: { message: 'The context length is 250 tokens' } })(response);
  sound(response, request);
};

class History {
  readonly seed: number;
  readonly #app: ListeningApp;
  readonly #random: Random;
  /** The texts that requests choose from. Few, so that requests often follow one another. */
  readonly #texts: readonly string[];
  #orgId = '';
  #key = '';
  #leftTexts = 0;
  /** The texts of requests with cache control, which may count without a vector in the cache. */
  #uncachedTexts = 0;

  private constructor(app: ListeningApp, seed: number) {
    this.seed = seed;
    this.#app = app;
    this.#random = new Random(seed);
    this.#texts = [
      ...Array.from({ length: 5 }, (_, i) => `text ${i} ${'of some words '.repeat(this.#random.below(4))}`),
      `${poison} in a text`,
      longText,
    ];
  }

  /** Creates an organization and sends its requests. Resolves when all have a response or have been left. */
  static async run(app: ListeningApp, seed: number): Promise<History> {
    const history = new History(app, seed);
    await history.#run();
    return history;
  }

  /** Compares what was counted with what can be read. */
  async check(): Promise<void> {
    const { ledger, limits } = this.#app.services;
    const { used: requests } = await ledger.readStanding(this.#orgId);
    const units = new Map((await limits.list(this.#orgId, {})).map(({ unit, used }) => [unit, used]));
    const [texts, tokens] = [units.get('texts')!, units.get('tokens')!];
    const readable = await this.#readable();
    const readableTokens = readable.reduce((sum, answer) => sum + answer.tokens, 0);
    assert.ok(readable.length <= texts, `${readable.length} vectors, ${texts} texts counted`);
    assert.ok(readableTokens <= tokens, `vectors of ${readableTokens} tokens, ${tokens} counted`);
    assert.ok(requests > 0 || readable.length === 0, `${readable.length} vectors, no request counted`);
    // Nothing is counted without a vector either, except for clients that left while theirs were computed, and those
    // that wanted none in the cache, or new ones.
    assert.ok(
      texts <= readable.length + this.#leftTexts + this.#uncachedTexts,
      `${texts} texts counted, ${readable.length} vectors`,
    );
  }

  async #run(): Promise<void> {
    const { organizations, keys, limits } = this.#app.services;
    const isScarce = this.#random.below(4) === 0;
    const { orgId } = await organizations.create({
      name: 'History',
      tier: 'enterprise',
      custom: { amount: isScarce ? 1 + this.#random.below(2) : roomy, window: 'day' },
    });
    this.#orgId = orgId;
    this.#key = (await keys.create({ orgId, userId: 'user', name: 'key' })).secret;
    for (const unit of ['texts', 'tokens'] as const)
      await limits.add(orgId, { keyId: null, unit, window: 'day', amount: roomy });
    await Promise.all(Array.from({ length: 2 + this.#random.below(5) }, () => this.#request()));
  }

  /** Sends one request of a few texts, after a moment, and perhaps disconnects. */
  async #request(): Promise<void> {
    const random = this.#random;
    const input = Array.from({ length: 1 + random.below(5) }, () => random.pick(this.#texts));
    const truncate = random.below(3) === 0;
    const control = random.pick(['', '', '', 'no-store', 'no-cache', 'no-cache, no-store']);
    if (control) this.#uncachedTexts += input.length;
    const goesAfterMs = random.below(4) === 0 ? random.below(12) : null;
    await setTimeout(random.below(8));
    if (goesAfterMs === null) {
      await this.#embed({ input, truncate }, control);
      return;
    }
    this.#leftTexts += input.length;
    const signal = AbortSignal.timeout(goesAfterMs);
    await this.#embed({ input, truncate }, control, signal).catch((reason) => {
      if (!signal.aborted) throw reason;
    });
  }

  /** Returns the responses to texts whose vectors are in the cache. */
  async #readable(): Promise<Answer[]> {
    const readable: Answer[] = [];
    for (const text of this.#texts) {
      for (const truncate of [true, false]) {
        const answer = await this.#embed({ input: [text], truncate });
        if (answer.cached) readable.push(answer);
      }
    }
    return readable;
  }

  async #embed(
    body: { input: string[]; truncate: boolean },
    control = '',
    signal?: AbortSignal,
  ): Promise<Answer> {
    const response = await fetch(`${this.#app.address}/v1/embeddings`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#key}`,
        'content-type': 'application/json',
        ...(control && { 'cache-control': control }),
      },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
    const answer = (await response.json()) as { cached?: boolean; usage?: { prompt_tokens: number } };
    return {
      status: response.status,
      cached: answer.cached === true,
      tokens: answer.usage?.prompt_tokens ?? 0,
    };
  }
}
