import assert from 'node:assert/strict';
import { apiJson, type Environment, embedgateJson } from '../helpers/embedgate.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { type RunningService, startService } from '../helpers/service.ts';

export const model = 'all-MiniLM-L6-v2';

/** Starts a service that returns 503 for each text, because its upstream is down. */
export const startWithoutUpstream = (environment: Environment): Promise<RunningService> =>
  startService({
    environment: {
      EMBEDDING_UPSTREAM_URL: 'http://127.0.0.1:9/v1',
      EMBEDDING_MODEL: model,
      EMBEDDING_DIMENSIONS: '384',
      EMBEDDING_MAX_TOKENS: '256',
      ...environment,
    },
  });

/** Creates an organization that can send one request a month, uses that up, and returns a key. */
export async function usedUpKey({ address, environment }: RunningService): Promise<string> {
  const { key } = await organization(environment, '--limit', '1', '--window', 'month');
  assert.equal((await requestEmbeddings(address, key, 'the only one')).status, 200);
  return key;
}

/** Creates an organization that can send one request a second, and returns a key. */
export async function pacedKey({ environment }: RunningService): Promise<string> {
  const { orgId, key } = await organization(environment);
  const limit = JSON.stringify({ unit: 'requests', window: 'second', amount: 1 });
  await apiJson(['POST', `/v1/organizations/${orgId}/limits`, limit], environment);
  return key;
}

async function organization(environment: Environment, ...quota: readonly string[]) {
  const create = <R>(...args: string[]): Promise<R> => embedgateJson<R>(args, environment);
  const named = ['--name', 'Clients', '--tier', 'enterprise', ...quota];
  const { org_id: orgId } = await create<{ org_id: string }>('orgs', 'create', ...named);
  const owner = ['--user-id', 'ada', '--org-id', orgId, '--name', 'laptop'];
  return { orgId, ...(await create<{ key: string }>('keys', 'create', ...owner)) };
}
