import type { AddressInfo } from 'node:net';
import { bootstrap, type FirstStart } from './bootstrap.ts';
import { type Config, ConfigError } from './config/config.ts';
import type { App } from './http/app-types.ts';
import { openServices, type Services } from './services.ts';

/** What is under way at a shutdown has this long to finish; then the process ends all the same. */
const shutdownDeadlineMs = 30_000;

/** Runs the service until SIGTERM or SIGINT. This file alone ends the process. */
export async function serve(config: Config): Promise<void> {
  // The application's modules load while the database's thread and the model's start.
  const [services, { buildApp }] = await Promise.all([openServices(config), import('./app.ts')]);
  const app = await buildApp(services);
  try {
    await services.models.loaded;
    await listen(app, config);
    const { port } = app.server.address() as AddressInfo;
    const address =
      config.publicUrl ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
    const first = config.bootstrap ? await bootstrap(services) : undefined;
    tellModels(services);
    warnOfPublicUrl(services);
    console.log(first ? welcome(address, first) : `Embedgate ${services.version} listens on ${address}`);
  } catch (reason) {
    await shutDown(app, services);
    throw reason;
  }

  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    services.log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), shutdownDeadlineMs).unref();
    shutDown(app, services).then(
      () => process.exit(0),
      (reason) => {
        services.log.fatal({ err: reason }, 'the shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** Stops accepting, finishes what is in flight, writes the counters. */
async function shutDown(app: App, services: Services): Promise<void> {
  await app.close();
  await services.close();
}

async function listen(app: App, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (reason) {
    const { code } = reason as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new ConfigError(`PORT: ${port} is in use; for example PORT=${port + 1}`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new ConfigError(`HOST: "${host}" is no address of this machine; for example HOST=127.0.0.1`);
    }
    throw reason;
  }
}

/** Browsers that reach the service by another address than it listens on, such as a proxy's, can't sign in without it. */
function warnOfPublicUrl({ config, log }: Services): void {
  const { publicUrl, host, trustedProxies } = config;
  const isLocal = ['127.0.0.1', '::1', 'localhost'].includes(host) && trustedProxies.length === 0;
  if (publicUrl !== null || isLocal) return;
  log.warn(
    'PUBLIC_URL is not set: behind a proxy that speaks TLS, nobody can sign in to the dashboard. Set it to the address in the browser, such as PUBLIC_URL=https://embed.example.com',
  );
}

/** What was chosen from the machine, where nothing was set. */
function tellModels({ models, log }: Services): void {
  for (const { model, settings } of models.all) {
    const { name, dimensions, maxTokens } = model;
    log.info({ model: name, dimensions, max_tokens: maxTokens, ...settings }, 'serving');
  }
}

function welcome(address: string, { organization, administrator, password, secret }: FirstStart): string {
  return `Embedgate listens on ${address}

  Organization  ${organization.name} (${organization.tier}), ${organization.orgId}
  Sign in       ${administrator.email}, password ${password}
  API key       ${secret}
                Shown this once: keep them now.

Try it:

  curl ${address}/v1/embeddings \\
    -H 'Authorization: Bearer ${secret}' \\
    -H 'Content-Type: application/json' \\
    -d '{"input": "The quick brown fox"}'
`;
}
