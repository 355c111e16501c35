import pino, { type Logger } from 'pino';
import { type Alerting, lazyAlerting } from './alerting.ts';
import type { Config } from './config.ts';
import { Batcher } from './embeddings/batcher.ts';
import { type EmbedRequest, type EmbedResult, embed } from './embeddings/embed.ts';
import { type EmbeddingFormat, EmbeddingMemo } from './embeddings/embedding-memo.ts';
import { embeddingsBody } from './embeddings/encode.ts';
import type { Model } from './embeddings/engines/engine.ts';
import { openEngine } from './embeddings/engines/open.ts';
import { cacheKeys } from './embeddings/fingerprint.ts';
import { SingleFlight } from './embeddings/single-flight.ts';
import { type CachedVector, VectorCache } from './embeddings/vector-cache.ts';
import { type Gate, openGate } from './gate.ts';
import { Authenticator } from './keys/authenticate.ts';
import { deriveSecret } from './keys/secrets.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { Metrics } from './metrics/metrics.ts';
import { openPeople, type People } from './people.ts';
import { UsageRecorder } from './usage/recorder.ts';
import { version } from './version.ts';

/** Everything that the HTTP application works with. */
export interface Services extends Gate, People {
  readonly log: Logger;
  readonly version: string;
  readonly startedAtMs: number;
  readonly timeouts: Timeouts;
  readonly model: Model;
  readonly authenticator: Authenticator;
  readonly recorder: UsageRecorder;
  readonly metrics: Metrics;
  readonly alerting: Alerting;
  embed(request: EmbedRequest): EmbedResult | Promise<EmbedResult>;
  /** The response's body: at once for a few texts, as a promise for many. */
  encode(
    result: EmbedResult,
    options: { format: EmbeddingFormat; dimensions: number },
  ): string | Promise<string>;
  /** Names what would keep a request from being served. */
  notReady(): Promise<string[]>;
}

/** How long a client may take, in milliseconds. */
export interface Timeouts {
  /** From a request's first byte to its last. */
  readonly requestMs: number;
  /** Between two requests, and without a byte read of an answer. */
  readonly idleMs: number;
}

const timeouts: Timeouts = { requestMs: 60_000, idleMs: 75_000 };
const pruneEveryMs = 600_000;

/** Opens everything, or closes again what was opened and throws. */
export async function openServices(
  config: Config,
  options: { clock?: Clock; timeouts?: Timeouts; queueTokens?: number } = {},
): Promise<Services> {
  const clock = options.clock ?? systemClock;
  const log = pino(
    { level: config.logLevel, name: 'embedgate', base: null },
    pino.destination({ dest: 2, sync: false }),
  );
  const warn = (what: string) => (reason: unknown) => log.warn({ err: reason }, what);
  const [openedGate, openedEngine] = await Promise.allSettled([
    openGate(
      config,
      clock,
      warn('changes made elsewhere can not be heard: keys are looked up for each request'),
    ),
    openEngine(config),
  ]);
  if (openedGate.status === 'rejected' || openedEngine.status === 'rejected') {
    if (openedGate.status === 'fulfilled') await openedGate.value.close();
    if (openedEngine.status === 'fulfilled') await openedEngine.value.close();
    throw openedGate.status === 'rejected'
      ? openedGate.reason
      : (openedEngine as PromiseRejectedResult).reason;
  }
  const gate = openedGate.value;
  const engine = openedEngine.value;
  const { stores } = gate;

  const authenticator = new Authenticator({
    keys: stores.keys,
    keyring: gate.keyring,
    watch: stores.watch,
    clock,
  });
  const recorder = new UsageRecorder(stores.usage, clock, warn('usage records could not be written'));
  const metrics: Metrics = new Metrics({
    cache: () => cache.stats,
    queue: () => batcher.stats,
    hearing: () => stores.watch.current(),
  });
  const batcher = new Batcher(engine, clock, {
    observer: metrics.batches,
    ...(options.queueTokens && { maxAdmittedTokens: options.queueTokens }),
  });
  const cache = new VectorCache(stores.vectors, clock, {
    maxMemoryBytes: config.cacheMemoryBytes / 2,
    maxStoreBytes: config.cacheStoreBytes,
    maxStoreAgeMs: config.cacheMaxAgeMs,
    pruneEveryMs,
    onError: (reason, operation) => log.warn({ err: reason, operation }, 'the vector cache failed'),
  });
  const memo = new EmbeddingMemo(config.cacheMemoryBytes / 2);
  const people = openPeople(gate, log);
  const alerting = lazyAlerting(gate, people.mailer, log);
  gate.ledger.onCounted((orgId, standing) => alerting.counted(orgId, standing));
  const parts = {
    cacheKeys: cacheKeys(deriveSecret(config, 'vector cache keys'), engine.model.fingerprint),
    cache,
    flights: new SingleFlight<CachedVector>(),
    batcher,
    quota: gate.ledger,
    onGiveBackError: warn('a unit could not be given back'),
  };

  return {
    ...gate,
    ...people,
    log,
    version,
    startedAtMs: clock.now(),
    timeouts: options.timeouts ?? timeouts,
    model: engine.model,
    authenticator,
    recorder,
    metrics,
    alerting,
    embed: (request) => embed(parts, request),
    encode: (result, { format, dimensions }) =>
      embeddingsBody({ ...result, model: engine.model.name, format, dimensions, memo }),
    async notReady() {
      try {
        await stores.ping();
        return [];
      } catch (reason) {
        warn('the database does not answer')(reason);
        return ['database'];
      }
    },
    // In the order of the flow: what a part still needs is closed after it.
    async close() {
      await batcher.close();
      await engine.close();
      await cache.close();
      await recorder.close();
      await gate.ledger.close();
      await alerting.close();
      await people.mailer?.close();
      await gate.close();
      await metrics.close();
    },
  };
}
