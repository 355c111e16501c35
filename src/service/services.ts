import type { Logger } from 'pino';
import type { Engine } from '../../packages/engine/src/index.ts';
import { Gather } from '../../packages/small/src/gather.ts';
import type { Bounds, Config } from '../config/config.ts';
import { makeDataDirectory } from '../config/data-directory.ts';
import { ComputingTime } from '../embeddings/computing-time.ts';
import { ModelCatalog } from '../embeddings/model-catalog.ts';
import { roomyQueueTokens } from '../embeddings/request-tokens.ts';
import { sealedVectors } from '../embeddings/sealed-vectors.ts';
import { ServedModel } from '../embeddings/served-model.ts';
import { VectorCache } from '../embeddings/vector-cache.ts';
import { openEngines } from '../engines/open.ts';
import { openBucketPieces } from '../files/bucket-pieces.ts';
import { Authenticator } from '../keys/authenticate.ts';
import { deriveSecret } from '../keys/service-secrets.ts';
import { Chores } from '../lib/chores.ts';
import { type Clock, systemClock, within } from '../lib/clock.ts';
import { Disk } from '../lib/disk.ts';
import { Load } from '../load/load.ts';
import { Metrics } from '../metrics/metrics.ts';
import type { Ledger } from '../quota/ledger.ts';
import { Pacer } from '../quota/pacer.ts';
import { UsageRecorder } from '../usage/recorder.ts';
import { version } from '../version.ts';
import { openAlerting } from './alerting.ts';
import { openBatching } from './batching.ts';
import { type Core, checkAuthSecret, openCore } from './core.ts';
import { lastBackupMs } from './last-backup.ts';
import { openLog } from './log.ts';
import { openPeople } from './people.ts';
import { addUpkeep } from './upkeep.ts';

/** Everything that the HTTP application uses. */
export type Services = Awaited<ReturnType<typeof openServices>>;

/** Shorter than the timeout of load balancers. */
const readyWithinMs = 3_000;

/**
 * Opens everything except the models, which load meanwhile: await `models.loaded` before serving anything. If
 * the core can't be opened, closes what was opened, and throws.
 */
export async function openServices(
  config: Config,
  options: { clock?: Clock; bounds?: Partial<Bounds>; loadsModels?: boolean } = {},
) {
  // Must come before anything is opened that would have to be closed.
  checkAuthSecret(config);
  makeDataDirectory(config.dataDir);
  const bucket = config.bucket && (await openBucketPieces(config.bucket));
  const clock = options.clock ?? systemClock;
  const log = openLog(config.logLevel);
  const warn = (what: string) => (reason: unknown) => log.warn({ err: reason }, what);
  const { collector } = config;
  const openTraces = collector === null ? undefined : (await import('../traces/open.ts')).openTraces;
  const traces = await openTraces?.(`${collector}`, version, warn('traces could not be sent'));
  const opening = openCore(
    config,
    clock,
    warn('changes made elsewhere cannot be received: keys are looked up for each request'),
  );
  const stopLoading = new AbortController();
  const loading = openEngines(options.loadsModels === false ? [] : config.models, {
    dataDir: config.dataDir,
    hub: config.hub,
    keepVectors: async (...args) => (await opening).stores.upstreamVectors.keep(...args),
    info: (what) => log.info(what),
    warn: (what) => log.warn(what),
    signal: stopLoading.signal,
  });
  // Callers that await it get the error; until then, the core is still opening.
  loading.catch(() => {});
  const core = await opening.catch(async (reason) => {
    stopLoading.abort();
    const engines = await loading.catch(() => []);
    await Promise.all(engines.map((engine) => engine.close()));
    throw reason;
  });
  const { stores } = core;
  const disk = new Disk(config.dataDir);
  // Postgres has a disk of its own.
  const hasRoom = async () => config.postgres !== null || disk.hasRoomFor('cacheAndLog');

  const authenticator = new Authenticator({
    keys: stores.keys,
    keyring: core.keyring,
    watch: stores.watch,
    clock,
  });
  const recorder = new UsageRecorder(stores.usage, {
    isOn: config.hasRequestLog,
    hasRoom,
    onError: warn('usage and the request log could not be written'),
  });
  const load = new Load({ ...config.bounds, ...options.bounds }, config.tiers, log);
  const metrics: Metrics = new Metrics({
    version,
    load,
    cache: () => cache.stats,
    queue: () => models.queue,
    models: () => models.all,
    hearing: () => stores.watch.current(),
    ledger: () => core.ledger.stats,
    waitingUsage: () => recorder.waiting,
    droppedRequests: () => recorder.dropped,
    lastBackupMs: () => lastBackupMs(config),
  });
  const cache = new VectorCache(sealedVectors(stores.vectors), clock, {
    maxMemoryBytes: config.cacheMemoryBytes / 2,
    maxStoreBytes: config.cacheStoreBytes,
    maxStoreAgeMs: config.cacheMaxAgeMs,
    // Each write on SQLite changes whole pages. On Postgres, other processes look for the vector.
    gatherMs: config.postgres === null ? 1_000 : 0,
    hasRoom,
    onError: (reason, operation) => log.warn({ err: reason, operation }, 'the vector cache failed'),
  });
  const people = openPeople(core, log);
  const chores = new Chores(stores.leases.take, clock);
  const changed = new Set<string | null>();
  addUpkeep(chores, { core, cache, recorder, changed }, log);
  const alerting = openAlerting(core, people, chores, log);
  const batching = openBatching({ ...core, bucket, disk }, load.bounds.maxBodyBytes, chores, log);
  const secret = deriveSecret(config, 'vector cache keys');
  const pacer = new Pacer(core.ledger, clock);
  const computingTime = new ComputingTime();
  const serve = (engine: Engine, place: number): ServedModel =>
    new ServedModel(engine, {
      aliases: config.models[place]?.aliases,
      secret,
      cache,
      quota: pacer,
      price: config.prices.byModel.get(engine.model.name),
      weights: config.tiers,
      maxMemoBytes: config.cacheMemoryBytes / 2 / config.models.length,
      batching: {
        observer: metrics.batches,
        computingTime,
        maxAdmittedTokens:
          load.bounds.maxQueueTokens ?? roomyQueueTokens(engine.model.maxTokens, load.bounds.maxBodyBytes),
      },
      onGiveBackError: warn('a unit could not be released'),
    });
  const models = new ModelCatalog(loading.then((engines) => engines.map(serve)));

  const readiness = new Gather<null, string[]>(
    // Anyone can ask at any rate, and each check asks the database.
    async (waiting) => new Array(waiting.length).fill(await partsNotReady({ ...core, disk }, models, log)),
    { maxItems: Number.POSITIVE_INFINITY },
  );

  return {
    ...core,
    ...people,
    ...batching,
    log,
    version,
    startedAtMs: clock.now(),
    load,
    models,
    computingTime,
    authenticator,
    recorder,
    changed,
    metrics,
    alerting,
    pacer,
    /** Undefined without a collector. */
    traces,
    cacheStats: () => cache.stats,
    lastBackupMs: () => lastBackupMs(config),
    /** Lists the reasons why the service is not ready. */
    async notReady() {
      if (load.isDraining) return ['shutting down'];
      if (load.isStarting) return ['starting'];
      return readiness.add(null);
    },
    // In the order of the flow: each part is closed before the parts that it needs.
    async close() {
      stopLoading.abort();
      await batching.batchRunner.close();
      await models.close();
      await traces?.close();
      await chores.close();
      await cache.close();
      await recorder.flush();
      await core.ledger.close();
      await alerting.close();
      people.signIn.close();
      await people.mailer?.close();
      await core.close();
      metrics.close();
    },
  };
}

/** Returns the names of the parts that don't work, and logs why. */
async function partsNotReady(
  { config, stores, ledger, disk }: Core & { readonly disk: Disk },
  models: ModelCatalog,
  log: Logger,
): Promise<string[]> {
  const parts = new Map<string, () => Promise<unknown>>([
    ['database', () => stores.ping()],
    ['quota', () => quotaIsDecided(ledger)],
  ]);
  if (!config.postgres) parts.set('disk', () => disk.requireRoomFor('service'));
  for (const served of models.all) parts.set(`model ${served.model.name}`, () => served.ready());
  const failed = await Promise.all(
    [...parts].map(([part, check]) =>
      within(readyWithinMs, check()).then(
        () => [],
        (reason) => {
          log.warn({ err: reason, part }, 'a part is not ready');
          return [part];
        },
      ),
    ),
  );
  return failed.flat();
}

/** A database may respond but commit nothing, for example while it waits for a standby that is gone. */
async function quotaIsDecided({ stats }: Ledger): Promise<void> {
  if (stats.isFailing) throw new Error('quota decisions fail');
}
