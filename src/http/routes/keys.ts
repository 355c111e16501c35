import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireMay } from '../../accounts/access.ts';
import { ServiceError } from '../../errors.ts';
import type { KeySummary } from '../../keys/keys.ts';
import type { Services } from '../../service/services.ts';
import { createdKeyView, isoTime, keyView } from '../../views.ts';
import type { App } from '../app-types.ts';
import { standingOn } from '../plugins/access.ts';
import { principalOn, userOn } from '../plugins/identify.ts';
import { Id, OrgParams } from '../schemas/common.ts';
import {
  CreatedKeyResponse,
  CreateKeyRequest,
  KeyListResponse,
  RevokedKeyResponse,
  RotatedKeyResponse,
  RotateKeyRequest,
} from '../schemas/keys.ts';

const tags = ['Keys'];
const path = '/v1/organizations/:org_id/keys';
const KeyParams = Type.Object({ ...OrgParams.properties, key_id: Id() });
type KeyParams = { org_id: string; key_id: string };

const dayMs = 86_400_000;
const defaultGraceSeconds = 86_400;

export function keyRoutes(app: App, { keys }: Services): void {
  /** The key that the path names. Throws `not_found`, and `forbidden` for who may not change it. */
  const changeable = async (request: FastifyRequest): Promise<KeySummary> => {
    const { org_id, key_id } = request.params as KeyParams;
    const key = await keys.find(org_id, key_id);
    const principal = principalOn(request);
    const isOwn = principal.kind === 'key' ? principal.keyId === key_id : principal.userId === key?.userId;
    if (!isOwn) requireMay(standingOn(request), 'keys.change-any');
    if (!key) throw new ServiceError('not_found', 'No such key');
    return key;
  };

  app.get(
    path,
    {
      config: { access: 'keys.read' },
      schema: {
        operationId: 'listKeys',
        summary: 'The keys of an organization, newest first',
        tags,
        params: OrgParams,
        response: { 200: KeyListResponse },
      },
    },
    async (request) => ({
      object: 'list' as const,
      data: (await keys.list(request.params.org_id)).map(keyView),
    }),
  );

  app.post(
    path,
    {
      config: { access: 'keys.create' },
      schema: {
        operationId: 'createKey',
        summary: 'Create a key, and show its secret this once',
        tags,
        params: OrgParams,
        body: CreateKeyRequest,
        response: { 201: CreatedKeyResponse },
      },
    },
    async (request, reply) => {
      const { name, expires_in_days: days } = request.body;
      const { userId } = userOn(request);
      const lifetimeMs = days === null ? Number.POSITIVE_INFINITY : days && days * dayMs;
      const created = await keys.create({
        orgId: request.params.org_id,
        userId,
        name,
        ...(lifetimeMs !== undefined && { lifetimeMs }),
      });
      reply.code(201);
      return createdKeyView(created);
    },
  );

  app.post(
    `${path}/:key_id/revoke`,
    {
      config: { access: 'keys.change-own' },
      schema: {
        operationId: 'revokeKey',
        summary: 'Revoke a key permanently, from the next request on',
        description:
          'A key can revoke itself. Members can revoke their own keys; admins can revoke any key.\n\n' +
          'Keys that the key has made by rotating itself are revoked with it, and so are those that these have made. A key that a ' +
          'person has made by rotating it stays valid.',
        tags,
        params: KeyParams,
        response: { 200: RevokedKeyResponse },
      },
    },
    async (request) => {
      const { keyId, orgId } = await changeable(request);
      const alsoRevoked = await keys.revoke(keyId);
      const revoked = await keys.find(orgId, keyId);
      if (!revoked) throw new ServiceError('not_found', 'No such key');
      return { ...keyView(revoked), also_revoked: alsoRevoked };
    },
  );

  app.post(
    `${path}/:key_id/rotate`,
    {
      config: { access: 'keys.change-own' },
      schema: {
        operationId: 'rotateKey',
        summary: 'Create a key in place of another, which stays valid for a while',
        description:
          'A key can rotate itself. Members can rotate their own keys; admins can rotate any key.\n\n' +
          'The new key lives as long as the old one was created to live. When a key rotates itself, the new key expires when the ' +
          'old one would have, and is revoked when the old one is revoked.\n\n' +
          'A key has one successor at a time: while that is valid, rotate the successor instead. A key can rotate itself once.',
        tags,
        params: KeyParams,
        body: RotateKeyRequest,
        response: { 201: RotatedKeyResponse },
      },
    },
    async (request, reply) => {
      const { keyId } = await changeable(request);
      const { grace_seconds: graceSeconds = defaultGraceSeconds } = request.body;
      const { oldExpiresAt, ...created } = await keys.rotate(
        keyId,
        graceSeconds * 1_000,
        principalOn(request).kind === 'key' ? 'itself' : 'person',
      );
      reply.code(201);
      return {
        ...createdKeyView(created),
        replaces: { key_id: keyId, expires_at: isoTime(oldExpiresAt) },
      };
    },
  );
}
