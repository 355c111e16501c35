import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { Id, OrgParams, PageQuery, pageView } from '../../api/common.ts';
import {
  ChangedKeyResponse,
  ChangeKeyRequest,
  CreatedKeyResponse,
  CreateKeyRequest,
  createdKeyView,
  KeyListResponse,
  KeyResponse,
  keyChangeOf,
  keyStatusFilter,
  keyView,
  lineageView,
  listedKeyView,
  newKeyOf,
  RevokedKeyResponse,
  RotatedKeyResponse,
  RotateKeyRequest,
  rotatedKeyView,
} from '../../api/key.ts';
import { notFound } from '../../errors.ts';
import { type KeySummary, keyList, recentDays } from '../../keys/key.ts';
import { type KeyRights, requireModel } from '../../keys/rights.ts';
import { requireMay, requireMayGive } from '../../organizations/access.ts';
import type { Services } from '../../service/services.ts';
import { lastDays } from '../../usage/reports.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';
import { offerOf } from '../embed-texts.ts';
import { principalOn } from '../plugins/identify.ts';

const path = '/v1/organizations/:org_id/keys';
const KeyParams = Type.Object({ ...OrgParams.properties, key_id: Id() });
type KeyRequest = FastifyRequest<{ Params: Static<typeof KeyParams> }>;

const defaultGraceSeconds = 86_400;

export function keyRoutes(app: App, { keys, models, usage, recorder, clock }: Services): void {
  const withRequests = async (orgId: string, found: readonly KeySummary[]) => {
    const days = lastDays(clock.now(), recentDays);
    const ids = found.map(({ keyId }) => keyId);
    const rows = await usage.requestsOfKeys(orgId, ids, days);
    const byKey = Map.groupBy(rows, ({ keyId }) => keyId);
    return found.map((key) => listedKeyView(key, byKey.get(key.keyId) ?? [], days));
  };

  const existing = async (orgId: string, keyId: string): Promise<KeySummary> => {
    const key = await keys.find(orgId, keyId);
    if (!key) throw notFound('No such key');
    return key;
  };
  const isItself = (request: KeyRequest): boolean => {
    const principal = principalOn(request);
    return principal.kind === 'key' && principal.keyId === request.params.key_id;
  };
  const mayGive =
    ({ relation }: FastifyRequest) =>
    (rights: KeyRights) =>
      requireMayGive(relation, rights);
  const requireServed = ({ relation }: FastifyRequest, model: string | null | undefined) => {
    if (model == null) return;
    // First, because the error of an unknown name lists others.
    if (typeof relation !== 'string') requireModel(relation, model, 'default_model');
    offerOf(model, models, { param: 'default_model' });
  };

  /** Returns the key that the path names. Throws `not_found`, and `forbidden` if the caller may not change it. */
  const changeable = async (request: KeyRequest): Promise<KeySummary> => {
    const { org_id, key_id } = request.params;
    const key = await keys.find(org_id, key_id);
    const principal = principalOn(request);
    const isOwn = principal.kind === 'key' ? isItself(request) : principal.userId === key?.userId;
    if (!isOwn) requireMay(request.relation, 'keys.change-any');
    if (!key) throw notFound('No such key');
    return key;
  };

  app.get(
    path,
    described('keys.read', 'listKeys', 'List the keys of an organization', {
      querystring: PageQuery(keyList, keyStatusFilter),
      params: OrgParams,
      response: { 200: KeyListResponse },
    }),
    async (request) => {
      const { org_id: orgId } = request.params;
      await recorder.flush();
      const page = await keys.list(orgId, request.query);
      const [counts, data] = await Promise.all([
        keys.counts(orgId, request.query),
        withRequests(orgId, page.data),
      ]);
      const total = counts[request.query.status ?? 'all'];
      return { ...pageView({ ...page, data, total }, (row) => row), counts };
    },
  );

  app.get(
    `${path}/:key_id`,
    described('keys.read', 'getKey', 'Get a key, its requests and its rotations', {
      params: KeyParams,
      response: { 200: KeyResponse },
    }),
    async (request) => {
      const { org_id: orgId, key_id: keyId } = request.params;
      await recorder.flush();
      const key = await existing(orgId, keyId);
      const [listed] = await withRequests(orgId, [key]);
      return { ...listed!, lineage: (await keys.chainOf(key)).map(lineageView) };
    },
  );

  app.post(
    path,
    described('keys.create', 'createKey', 'Create a key', {
      description: 'Only this response contains the secret.',
      params: OrgParams,
      body: CreateKeyRequest,
      response: { 201: CreatedKeyResponse },
    }),
    async (request) => {
      const orgId = request.params.org_id;
      const principal = principalOn(request);
      // What a key creates belongs to the key's user.
      const { userId } = principal.kind === 'user' ? principal : await existing(orgId, principal.keyId);
      requireServed(request, request.body.default_model);
      const created = await keys.create({ ...newKeyOf(request.body), orgId, userId }, mayGive(request));
      return createdKeyView(created);
    },
  );

  app.patch(
    `${path}/:key_id`,
    described('keys.change-own', 'changeKey', 'Change, pause or resume a key', {
      description:
        'Takes effect with the next request, and within a second on other replicas. Members can change their own ' +
        'keys; admins and keys with `manage:keys` can change any key. A key that was revoked or has expired ' +
        'can’t be changed.',
      params: KeyParams,
      body: ChangeKeyRequest,
      response: { 200: ChangedKeyResponse },
    }),
    async (request) => {
      const { keyId, orgId } = await changeable(request);
      requireServed(request, request.body.default_model);
      await keys.change(keyId, keyChangeOf(request.body), mayGive(request));
      return keyView(await existing(orgId, keyId));
    },
  );

  app.post(
    `${path}/:key_id/revoke`,
    described('keys.replace-own', 'revokeKey', 'Revoke a key permanently', {
      description:
        'Takes effect with the next request. A key can revoke itself. Members can revoke their own keys; ' +
        'admins and keys with `manage:keys` can revoke any key.\n\n' +
        'Also revokes the keys that the key has created by rotating itself, and the keys that those have ' +
        'created. Keys that a ' +
        'person has created by rotating it stay valid.',
      params: KeyParams,
      response: { 200: RevokedKeyResponse },
    }),
    async (request) => {
      const key = await changeable(request);
      const { keyId, orgId } = key;
      if (principalOn(request).kind === 'key' && !isItself(request)) mayGive(request)(key);
      const alsoRevoked = await keys.revoke(keyId);
      return { ...keyView(await existing(orgId, keyId)), also_revoked: alsoRevoked };
    },
  );

  app.post(
    `${path}/:key_id/rotate`,
    described('keys.replace-own', 'rotateKey', 'Replace a key with a new one', {
      description:
        'A key can rotate itself. Members can rotate their own keys; admins and keys with `manage:keys` can ' +
        'rotate any key. The new key has the same scopes and models.\n\n' +
        'The old key stays valid for the grace period. The new key gets the lifetime that the old one was ' +
        'created with. If a key ' +
        'rotates itself, the new key expires when the old one would have, and is revoked with the old one.\n\n' +
        'A key has one successor at a time. While the successor is valid, rotate the successor instead. A key ' +
        'can rotate itself once.',
      params: KeyParams,
      body: RotateKeyRequest,
      response: { 201: RotatedKeyResponse },
    }),
    async (request) => {
      const { keyId } = await changeable(request);
      const { grace_seconds: graceSeconds = defaultGraceSeconds } = request.body;
      const graceMs = graceSeconds * 1_000;
      const by = isItself(request) ? 'itself' : principalOn(request).kind === 'key' ? 'key' : 'person';
      // What a key gives to itself are its own rights.
      const rotated = await keys.rotate(keyId, graceMs, by, by === 'itself' ? undefined : mayGive(request));
      return rotatedKeyView(keyId, rotated);
    },
  );
}
