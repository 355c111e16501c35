import type { onRequestAsyncHookHandler } from 'fastify';
import type { Caller } from '../keys/authenticate.ts';
import type { Services } from '../service/services.ts';
import { lookUpsOf } from './look-ups.ts';
import { principalOn } from './plugins/identify.ts';

/**
 * Returns a hook that makes a signed-in user the caller, so that requests with a session are counted under the user's
 * id, as requests with a key are under the key's. Runs before the body is read, so that a refused request is charged to
 * the same caller and gets the same headers.
 */
export function personAsCaller(services: Services): onRequestAsyncHookHandler {
  return async (request) => {
    const { org_id: orgId } = request.params as { org_id: string };
    const principal = principalOn(request);
    if (principal.kind === 'key') return;
    const { userId } = principal;
    request.caller = await lookUpsOf(request)(() => callerCountedAs(userId, orgId, services));
  };
}

/** Returns the caller for requests that are counted under this id, which no signed token states. */
export async function callerCountedAs(
  id: string,
  orgId: string,
  { organizations }: Pick<Services, 'organizations'>,
): Promise<Caller> {
  const [{ tier }, cacheSecret] = await Promise.all([
    organizations.get(orgId),
    organizations.cacheSecret(orgId),
  ]);
  return { keyId: id, limitsKeyId: id, orgId, tier, cacheSecret };
}
