import type { FastifyContextConfig, FastifyRequest, FastifySchema, onRequestAsyncHookHandler } from 'fastify';
import { OrgParams } from '../api/common.ts';
import type { Batch } from '../batches/batch.ts';
import { suspended } from '../errors.ts';
import type { Caller } from '../keys/authenticate.ts';
import { rightsOfPeople } from '../keys/rights.ts';
import { userScope } from '../quota/limit.ts';
import type { Services } from '../service/services.ts';
import { described } from './described.ts';
import { lookUpsOf } from './look-ups.ts';
import { principalOn } from './plugins/identify.ts';

/** What the routes state. The content of files is for those who may send texts themselves. */
const doing = {
  embed: { access: 'embed', bodyBound: 'MAX_BODY_KB' },
  read: { access: 'batches.read' },
  open: { access: 'batches.change' },
  change: { access: 'batches.change' },
  /** A batch can come with its texts. */
  createBatch: { access: 'batches.change', bodyBound: 'MAX_BODY_KB' },
} as const satisfies Record<string, FastifyContextConfig>;

/** Where the routes for texts, files and batches are, and who uses them there. */
export interface Audience {
  readonly base: string;
  /** Whether the dashboard uses them. */
  readonly isForPeople: boolean;
  /** Describes a route, as `described` does. A route that embeds has a caller before the body is read. */
  describe<Schema extends FastifySchema>(
    does: keyof typeof doing,
    operationId: string,
    summary: string,
    schema: Schema,
  ): ReturnType<typeof described<Schema>> & { onRequest?: onRequestAsyncHookHandler };
}

/** Programs with an API key. `hide`: the description of the API leaves their routes out. */
export const forKeys = ({ base = '/v1', hide = false } = {}): Audience => ({
  base,
  isForPeople: false,
  describe(does, operationId, summary, schema) {
    const waitsFor = does === 'embed' ? 'model' : 'work';
    const stated = { ...doing[does], waitsFor, isLenient: true } as const;
    return described(stated, operationId, summary, { hide, ...schema });
  },
});

/** People with a session, and programs that use the same routes with a key of the organization. */
export const forPeople = (services: Services): Audience => ({
  base: '/v1/organizations/:org_id',
  isForPeople: true,
  describe(does, operationId, summary, schema) {
    const own = (schema.params ?? {}) as Partial<typeof OrgParams>;
    const properties = { ...OrgParams.properties, ...own.properties };
    const params = { ...OrgParams, properties, required: Object.keys(properties) };
    const stated = { ...doing[does], isLenient: true };
    return {
      ...described(stated, `${operationId}WithSession`, `${summary} with a session`, {
        ...schema,
        params,
      }),
      ...(does === 'embed' && { onRequest: personAsCaller(services) }),
    };
  },
});

/** Returns a hook that makes a person the caller, so that refused requests are charged to the same caller too. */
const personAsCaller =
  (services: Services): onRequestAsyncHookHandler =>
  async (request) => {
    if (request.caller) return;
    const { orgId, senderId } = senderOf(request);
    request.caller = await lookUpsOf(request)(() => callerCountedAs(senderId, orgId, services));
  };

/** Returns the organization of a request, and the key or the person that sends it. */
export function senderOf(request: FastifyRequest): Pick<Batch, 'orgId' | 'senderId'> {
  const { caller, params } = request;
  if (caller) return { orgId: caller.orgId, senderId: caller.keyId };
  const { org_id: orgId } = params as { org_id: string };
  const principal = principalOn(request);
  return { orgId, senderId: principal.kind === 'user' ? principal.userId : principal.keyId };
}

/** Returns the caller for requests that are counted under this id, which no signed token states. */
export async function callerCountedAs(
  id: string,
  orgId: string,
  { organizations }: Pick<Services, 'organizations'>,
): Promise<Caller> {
  const [{ tier, suspended: sentence }, cacheSecret] = await Promise.all([
    organizations.get(orgId),
    organizations.cacheSecret(orgId),
  ]);
  if (sentence !== null) throw suspended(sentence);
  return {
    keyId: id,
    limitsKeyId: userScope(id),
    limitsUserId: null,
    orgId,
    tier,
    cacheSecret,
    ...rightsOfPeople,
  };
}
