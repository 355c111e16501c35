import { setTimeout } from 'node:timers/promises';
import { requestEmbeddings } from '../helpers/requests.ts';
import type { Checkout } from './checkout.ts';
import type { Combination } from './combinations.ts';
import { embed, npmStart } from './npm-start.ts';

const installDeadlineMs = 900_000;
const testDeadlineMs = 900_000;
const everyMs = 200;
/** By then, the service has loaded the modules that it loads after its start. */
const loadsAfterStartMs = 20_000;

/** Runs both commands of the README in this combination. Throws with the first failure. */
export async function tryInstalling(checkout: Checkout, combination: Combination): Promise<void> {
  const install = ['ci', ...(combination.production ? ['--omit=dev'] : [])];
  await checkout.run(installDeadlineMs, 'npm', ...install);
  if (combination.besideService) await installBesideService(checkout, install);
  const service = await npmStart(checkout);
  await embed(service, 'The quick brown fox');
  const dashboard = await fetch(service.address);
  if (!combination.production && dashboard.status !== 200) throw new Error(`dashboard: ${dashboard.status}`);
  await service.kill(combination.onlyCtrlC);
  await checkout.run(testDeadlineMs, 'npx', 'embedgate', 'orgs', 'list');
  if (!combination.production)
    await checkout.run(testDeadlineMs, 'npm', 'test', '--', 'cli/failures', 'keys/');
}

/** The service may refuse with 503 what it can't load. Embeddings continue, and everything works again afterwards. */
async function installBesideService(checkout: Checkout, install: readonly string[]): Promise<void> {
  const service = await npmStart(checkout);
  await embed(service, 'Before the installation');
  await setTimeout(loadsAfterStartMs);
  const statuses = new Map<string, number>();
  const count = (of: string) => statuses.set(of, (statuses.get(of) ?? 0) + 1);
  const paths = ['/', '/docs/', '/metrics', '/v1/usage', '/v1/models'];
  const headers = { authorization: `Bearer ${service.key}` };
  const installing = new AbortController();
  const asking = (async () => {
    for (let i = 0; !installing.signal.aborted; i += 1) {
      const path = paths[i % paths.length]!;
      const { status } = await fetch(`${service.address}${path}`, { headers, redirect: 'manual' });
      // The pages are built again, and until then there are none.
      if (status >= 400 && status !== 503 && !(path === '/' && status === 404)) count(`${path} ${status}`);
      const { status: embedded } = await requestEmbeddings(service.address, service.key, `text ${i}`);
      if (embedded !== 200) count(`/v1/embeddings ${embedded}`);
      await setTimeout(everyMs);
    }
  })();
  try {
    await checkout.run(installDeadlineMs, 'npm', ...install);
  } finally {
    installing.abort();
    await asking;
  }
  for (const path of install.includes('--omit=dev') ? paths.slice(1) : paths) {
    const { status } = await fetch(`${service.address}${path}`, { headers });
    if (status !== 200) count(`${path} ${status} afterwards`);
  }
  await service.kill();
  if (statuses.size > 0) throw new Error(`The older service: ${[...statuses].join('; ')}`);
  await checkout.run(testDeadlineMs, 'rm', '-r', 'data');
}
