import type { FastifyRequest, FastifySchema } from 'fastify';
import { OrgParams } from '../api/common.ts';
import type { Batch } from '../batches/batch.ts';
import type { Access } from './app-types.ts';
import { described } from './described.ts';
import { callerOf } from './plugins/authenticate.ts';
import { principalOn } from './plugins/identify.ts';

/** What people may do with a session. The content of files is for those who may send texts themselves. */
const accessTo = { read: 'usage.read', open: 'embed', change: 'embed' } as const satisfies Record<
  string,
  Access
>;

/** Where the routes for files and batches are, and who uses them there. */
export interface BatchCallers {
  readonly base: string;
  /** Whether the dashboard uses them. */
  readonly isForPeople: boolean;
  /** Describes a route, as `described` does. */
  describe<Schema extends FastifySchema>(
    does: keyof typeof accessTo,
    operationId: string,
    summary: string,
    schema: Schema,
  ): ReturnType<typeof described<Schema>>;
  /** Returns the organization of a request, and the key or the person that its batches are counted under. */
  senderOf(request: FastifyRequest): Pick<Batch, 'orgId' | 'senderId'>;
}

/** Programs with an API key. */
export const withKey = ({ base = '/v1', hide = false } = {}): BatchCallers => ({
  base,
  isForPeople: false,
  describe: (_does, operationId, summary, schema) =>
    described('key', operationId, summary, { hide, ...schema }),
  senderOf(request) {
    const { orgId, keyId } = callerOf(request);
    return { orgId, senderId: keyId };
  },
});

/** People with a session. */
export const withSession: BatchCallers = {
  base: '/v1/organizations/:org_id',
  isForPeople: true,
  describe(does, operationId, summary, schema) {
    const own = (schema.params ?? {}) as Partial<typeof OrgParams>;
    const properties = { ...OrgParams.properties, ...own.properties };
    const params = { ...OrgParams, properties, required: Object.keys(properties) };
    return described(accessTo[does], `${operationId}WithSession`, `${summary} with a session`, {
      ...schema,
      params,
    });
  },
  senderOf(request) {
    const principal = principalOn(request);
    const { org_id: orgId } = request.params as { org_id: string };
    return { orgId, senderId: principal.kind === 'user' ? principal.userId : principal.keyId };
  },
};
