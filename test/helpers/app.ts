import type { AddressInfo } from 'node:net';
import { buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { within } from '../../src/lib/clock.ts';
import { bootstrap } from '../../src/service/bootstrap.ts';
import { openServices, type Services } from '../../src/service/services.ts';
import { temporaryDirectory } from './directory.ts';

export interface ListeningApp extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
  readonly services: Services;
  readonly key: string;
  readonly orgId: string;
  readonly administrator: { readonly email: string; readonly password: string; readonly userId: string };
  readonly dataDir: string;
}

type Options = Parameters<typeof openServices>[1] & {
  environment?: Record<string, string>;
  /** False: the data have a first start behind them, whose key and administrator the test knows. */
  isFirstStart?: boolean;
};

/** The whole service in this process, for tests that control its clock or its bounds, over real HTTP. */
export async function listeningApp(options: Options = {}): Promise<ListeningApp> {
  const { environment, isFirstStart = true, ...serviceOptions } = options;
  const directory = temporaryDirectory();
  const config = readConfig({
    DATA_DIR: directory.path,
    EMBEDDING_WORKERS: '1',
    LOG_LEVEL: 'silent',
    ...environment,
  });
  const services = await openServices(config, serviceOptions);
  const app = await buildApp(services);
  // Node's own clock, which pages take the time from, can't be set.
  const { clock } = serviceOptions;
  if (clock)
    app.server.prependListener('request', (_request, response) =>
      response.setHeader('date', new Date(clock.now()).toUTCString()),
    );
  await services.models.loaded;
  await app.listen({ host: '127.0.0.1', port: 0 });
  const first = await bootstrap(services);
  if (isFirstStart !== (first !== undefined)) throw new Error('the data were not what the test expects');
  const { port } = app.server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    port,
    services,
    key: first?.secret ?? '',
    orgId: first?.organization.orgId ?? '',
    administrator: { userId: '', email: '', ...first?.administrator, password: first?.password ?? '' },
    dataDir: directory.path,
    async [Symbol.asyncDispose]() {
      await closed('HTTP server', app.close());
      await closed('services', services.close());
      directory[Symbol.dispose]();
    },
  };
}

/** A test that hangs would end with nothing but the name of its file. */
async function closed(part: string, closing: Promise<unknown>): Promise<void> {
  await within(60_000, closing).catch((cause) => {
    throw new Error(`the ${part} did not close`, { cause });
  });
}
