import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { constants, networkInterfaces } from 'node:os';
import { fieldsOf } from '../packages/small/src/json.ts';
import { type Config, ConfigError } from './config/config.ts';
import { openaiModels } from './config/names.ts';
import { offersOf } from './embeddings/model-catalog.ts';
import { openEngines } from './engines/open.ts';
import type { App } from './http/app-types.ts';
import type { Organization } from './organizations/organization.ts';
import type { Tiers } from './quota/tiers.ts';
import { authFingerprint } from './service/backup.ts';
import { bootstrap, type FirstStart } from './service/bootstrap.ts';
import { isUpgrade, sampledKeys } from './service/core.ts';
import { openServices, type Services } from './service/services.ts';
import { passwordNote } from './users/emergency.ts';

/** The time that running work has to finish at a shutdown. After that, the process ends in any case. */
const shutdownDeadlineMs = 30_000;
/** When a shutdown closes the connections that are still open, so that the counters can be written. */
const connectionsDeadlineMs = 20_000;
/** The length to which an error cuts the value of a setting. */
const maxShownLength = 200;

/** Runs the service until SIGTERM, SIGHUP or SIGINT, or until the program that started it closes its channel. Only this file ends the process. */
export async function serve(config: Config): Promise<void> {
  // One handler for the process's whole life: a signal that arrives between two handlers would be lost.
  let onSignal: SignalHandler = endAtOnce;
  const handle: SignalHandler = (signal, number) => onSignal(signal, number);
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.on(signal, handle);
  // Windows has no SIGTERM. Only a program that has opened a channel to the service can close it.
  process.on('disconnect', () => handle('SIGTERM', constants.signals.SIGTERM));
  // Like SIGUSR1, it may come from a log rotation.
  process.on('SIGUSR2', () => {});
  // The application's modules load while the database's thread and the model start.
  const importing = import('./app.ts');
  importing.catch(() => {});
  if (await isUpgrade(config)) await tryStart(config);
  const services = await openServices(config);
  services.load.isStarting = true;
  let app: App | undefined;
  try {
    const { buildApp } = await importing;
    app = await buildApp(services);
    await refuseUnknownTiers(services);
    await services.models.loaded;
    await listen(app, config);
    const address = addressOf(app, config);
    logModels(services);
    await warnOfModels(services);
    await noteModels(services);
    warnOfMisspelled(services);
    warnOfPublicUrl(services);
    const stopping = stopOnSignal(app, services);
    const announce = (text: string): void => {
      // Must come before anyone can learn that the service is ready, because they may stop it at once.
      onSignal = stopping;
      services.load.isStarting = false;
      console.log(text);
    };
    const first =
      config.bootstrap && (await bootstrap(services, (made) => announce(welcome(address, made, config))));
    // After a first start the keys are out, so a database that fails now must not end the service.
    await noteAuthSecret(services).catch((reason) =>
      services.log.warn({ err: reason }, 'the fingerprint of AUTH_SECRET could not be stored'),
    );
    if (!first) announce(`Embedgate ${services.version} listens on ${address}`);
  } catch (reason) {
    await (app ? shutDown(app, services) : services.close());
    throw reason;
  }
}

/** Returns the address to show. If the service listens on all addresses, one at which other machines reach it. */
function addressOf(app: App, { host, publicUrl }: Config): string {
  if (publicUrl !== null) return publicUrl;
  const { port } = app.server.address() as AddressInfo;
  const shown = isUnspecified(host) ? (ownAddress() ?? 'localhost') : host;
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
}

const isUnspecified = (host: string): boolean => ['0.0.0.0', '::'].includes(host);

/** Returns an address of this machine's network, if it has one. */
const ownAddress = (): string | undefined =>
  Object.values(networkInterfaces())
    .flat()
    .find((own) => own?.family === 'IPv4' && !own.internal)?.address;

type SignalHandler = (signal: NodeJS.Signals, number: number) => void;

/**
 * Ends the process as if it had no handler: nothing has to be finished before the service is ready, and `process.exit`
 * would abort if ONNX Runtime is at work in a thread.
 */
function endAtOnce(signal: NodeJS.Signals, number: number): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // Only as process 1 of a container, which ignores signals without a handler.
  process.exit(128 + number);
}

/**
 * Returns the handler of signals. The first SIGTERM or SIGHUP drains the service if that is configured. The next
 * signal, or the first SIGINT, shuts it down; further signals change nothing.
 */
function stopOnSignal(app: App, services: Services): SignalHandler {
  const { load, log, config } = services;
  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    load.isDraining = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), shutdownDeadlineMs).unref();
    shutDown(app, services).then(
      () => process.exit(0),
      (reason) => {
        log.fatal({ err: reason }, 'the shutdown failed');
        process.exit(1);
      },
    );
  };
  return (signal) => {
    if (signal === 'SIGINT' || config.drainMs === 0 || load.isDraining) {
      stop(signal);
      return;
    }
    load.isDraining = true;
    log.info({ signal, seconds: config.drainMs / 1_000 }, 'draining');
    setTimeout(() => stop(signal), config.drainMs);
  };
}

/** Stops accepting requests, finishes running ones and writes the counters. */
async function shutDown(app: App, services: Services): Promise<void> {
  services.pacer.close();
  const cut = setTimeout(() => {
    services.log.warn('closing connections whose responses were not sent in time');
    app.server.closeAllConnections();
  }, connectionsDeadlineMs);
  await app.close().finally(() => clearTimeout(cut));
  await services.close();
}

/** Throws a ConfigError for an organization of a tier that is not configured, because it would be granted nothing. */
async function refuseUnknownTiers({ stores, config }: Services): Promise<void> {
  const unknown = (await stores.organizations.tiersInUse()).find((name) => !config.tiers.find(name));
  if (unknown === undefined) return;
  throw new ConfigError(
    `EMBEDGATE_CONFIG: the tier "${unknown}" is not configured, but organizations have it; ` +
      'add it to the file, or change their tier with "embedgate orgs set-tier"',
  );
}

/**
 * Tries what a start can fail at, before the schema of an earlier release changes: that release can then start again. Throws
 * what the start would throw.
 */
async function tryStart(config: Config): Promise<void> {
  const server = createServer();
  await listen({ listen: (at) => once(server.listen(at), 'listening') }, config);
  server.close();
  const quietly = { info() {}, warn() {} };
  const { dataDir, hub, models } = config;
  const engines = await openEngines(models, {
    dataDir,
    hub,
    ...quietly,
    signal: new AbortController().signal,
  });
  for (const engine of engines) await engine.close();
}

type Listening = { listen(at: { host: string; port: number }): Promise<unknown> };

async function listen(app: Listening, { host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (reason) {
    const { code, syscall } = fieldsOf(reason);
    if (code === 'EADDRINUSE') throw new ConfigError(`PORT: ${port} is in use; for example PORT=${port + 1}`);
    const shown = host.length > maxShownLength ? `${host.slice(0, maxShownLength)}…` : host;
    if (code === 'EADDRNOTAVAIL' || syscall === 'getaddrinfo') {
      throw new ConfigError(`HOST: "${shown}" is not an address of this machine; for example HOST=127.0.0.1`);
    }
    throw reason;
  }
}

/**
 * Warns if PUBLIC_URL may be missing. Without it, browsers that use another address than the one that the service
 * listens on, such as a proxy's, can't sign in.
 */
function warnOfPublicUrl({ config, log }: Services): void {
  const { publicUrl, host, trustedProxies } = config;
  const isLocal = ['127.0.0.1', '::1', 'localhost'].includes(host) && trustedProxies.length === 0;
  if (publicUrl !== null || isLocal) return;
  log.warn(
    'PUBLIC_URL is not set: links in mails have another address than people use, and behind a proxy that ' +
      'speaks TLS, sign-in may fail. Set it to the address in the browser, such as ' +
      'PUBLIC_URL=https://embed.example.com',
  );
}

/** Warns if the data was last used with another AUTH_SECRET. */
async function noteAuthSecret({ config, stores, log }: Services): Promise<void> {
  const { authFingerprint: known } = await stores.organizations.notes();
  const current = authFingerprint(config);
  if (current === null || known === current) return;
  await stores.organizations.note({ authFingerprint: current });
  if (known !== null)
    log.warn(
      'AUTH_SECRET is another one than before: everyone has to sign in again, and webhooks and files of ' +
        'batches that were stored with the other one can’t be read',
    );
}

/** Warns if a model has another fingerprint than at the last start, for example because an upgrade has converted it again. */
async function noteModels({ models, stores, log }: Services): Promise<void> {
  const { modelFingerprints } = await stores.organizations.notes();
  const known: Record<string, string> = JSON.parse(modelFingerprints ?? '{}');
  const current = { ...known };
  for (const { model } of models.all) {
    const { name, fingerprint } = model;
    current[name] = fingerprint;
    if (known[name] === undefined || known[name] === fingerprint) continue;
    log.warn(
      { model: name, fingerprint, before: known[name] },
      `the model ${name} has another fingerprint than before: its vectors can’t be compared with those of an index, and ` +
        'cached texts are computed and counted again. To keep the vectors from before, serve the directory that has them ' +
        'under this name: see "Keep a model’s vectors" in docs/operations.md',
    );
  }
  const noted = JSON.stringify(current);
  if (noted !== modelFingerprints) await stores.organizations.note({ modelFingerprints: noted });
}

function warnOfMisspelled({ config, log }: Services): void {
  for (const { variable, setting } of config.renamed) log.warn(`${variable} is called ${setting} now`);
  for (const { variable, setting } of config.misspelled) {
    log.warn(`${variable} is not a setting: did you mean ${setting}?`);
  }
}

/**
 * Logs the models, with the values that were chosen for this machine because they are not configured, and the names
 * that belong to other models elsewhere.
 */
function logModels({ models, log }: Services): void {
  for (const { model, settings } of models.all) {
    const { name, dimensions, maxTokens, fingerprint, dtype } = model;
    log.info({ model: name, fingerprint, dtype, dimensions, max_tokens: maxTokens, ...settings }, 'serving');
  }
  for (const { served, alias } of models.all.flatMap(offersOf)) {
    if (served.model.name === alias.name || !openaiModels.includes(alias.name)) continue;
    log.warn(`requests for ${alias.name}, a model of OpenAI, get vectors of ${served.model.name}`);
  }
}

/** Warns of models that keys name and that are not served, because requests with those keys may be refused. */
async function warnOfModels({ models, stores, clock, log }: Services): Promise<void> {
  const sample = await stores.keys.sample(clock.now(), sampledKeys);
  const named = sample.map(({ defaultModel, models: allowed }) => [defaultModel ?? [], allowed ?? []].flat());
  const missing = [...new Set(named.flat())].filter((name) => !models.get(name));
  if (missing.length === 0) return;
  const affected = named.filter((names) => names.some((name) => missing.includes(name))).length;
  const names = missing.slice(0, 5).join(', ');
  log.warn(`${affected} of ${sample.length} API keys name models that are not served, such as ${names}`);
}

function welcome(address: string, first: FirstStart, config: Config): string {
  const { tiers } = config;
  const { organization, administrator, password, secret } = first;
  const note = passwordNote(config);
  return `Embedgate listens on ${address}

  Organization  ${organization.name}, ${organization.orgId}
  Limit         ${limitText(organization.tier, tiers)}
  Sign in       ${administrator.email}, password ${password}${note === null ? '' : `\n                ${note}`}
  API key       ${secret}
                Shown only once: save them now.
${raiseText(organization, tiers)}
Try it:

  curl ${address}/v1/embeddings \\
    -H 'Authorization: Bearer ${secret}' \\
    -H 'Content-Type: application/json' \\
    -d '{"input": "The quick brown fox"}'
`;
}

function limitText(name: string, tiers: Tiers): string {
  const { amount, unit } = tiers.limitOf(name, null);
  return amount === null
    ? `none (tier ${name})`
    : `${amount.toLocaleString('en-US')} ${unit} a month (tier ${name})`;
}

/** Explains how to raise the limit to the highest tier; empty if the organization has it. */
function raiseText({ orgId, tier }: Organization, tiers: Tiers): string {
  const { unit } = tiers.limitOf(tier, null);
  const unitsOf = (name: string): number => tiers.limitOf(name, null).amount ?? Number.POSITIVE_INFINITY;
  const highest = tiers.all
    .filter((other) => other.unit === unit)
    .reduce((best, { name }) => (unitsOf(name) > unitsOf(best) ? name : best), tier);
  if (highest === tier) return '';
  return `
To raise the limit, at any time:

  npx embedgate orgs set-tier --org-id ${orgId} --tier ${highest}
`;
}
