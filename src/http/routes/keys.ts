import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { ExternalId, Id, PageQuery, pageView } from '../../api/common.ts';
import { ErrorBody } from '../../api/error.ts';
import {
  ChangedKeyResponse,
  ChangeKeyRequest,
  CreatedKeyResponse,
  CreateKeyRequest,
  createdKeyView,
  KeyLinkResponse,
  KeyListResponse,
  KeyResponse,
  keyChangeOf,
  keyListFilters,
  keyView,
  lineageView,
  listedKeyView,
  newKeyOf,
  OpenKeyLinkRequest,
  PutKeyRequest,
  RevokedKeyResponse,
  RotatedKeyResponse,
  RotateKeyRequest,
  rotatedKeyView,
} from '../../api/key.ts';
import { notFound, ServiceError } from '../../errors.ts';
import { defaultGraceMs, type KeySummary, keyList, limitedOf, recentDays } from '../../keys/key.ts';
import { type KeyRights, requireModel } from '../../keys/rights.ts';
import { isoSeconds, isoTime } from '../../lib/clock.ts';
import { keyMayNot, requireMay, requireMayGive } from '../../organizations/access.ts';
import type { Services } from '../../service/services.ts';
import { lastDays } from '../../usage/reports.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';
import { offerOf } from '../embed-texts.ts';
import { addressOf } from '../origin.ts';
import { type Owner, routesOf } from '../owner.ts';
import { organizationOn } from '../plugins/access.ts';
import { principalOn } from '../plugins/identify.ts';

type KeyRequest = FastifyRequest<{ Params: Owner & { key_id: string } }>;

/** Registers the routes of the keys of organizations, or of those of the installation. */
export function keyRoutes(app: App, services: Services, whose: 'organization' | 'installation'): void {
  const { keys, keyLinks, limits, models, usage, recorder, clock, config } = services;
  const { base, OwnerParams, id, summary } = routesOf(whose);
  const path = `${base}/keys`;
  const KeyParams = Type.Object({ ...OwnerParams.properties, key_id: Id() });

  const withRequests = async (orgId: string | null, found: readonly KeySummary[]) => {
    const days = lastDays(clock.now(), recentDays);
    const ids = found.map(({ keyId }) => keyId);
    const rows = orgId === null ? [] : await usage.requestsOfKeys(orgId, ids, days);
    const limitedIds = found.map((key) => limitedOf(key).limitsKeyId);
    const fullest = orgId === null ? undefined : await limits.fullest(orgId, limitedIds);
    const byKey = Map.groupBy(rows, ({ keyId }) => keyId);
    return found.map((key, place) =>
      listedKeyView(key, byKey.get(key.keyId) ?? [], days, fullest?.get(limitedIds[place]!)),
    );
  };

  const existing = async (orgId: string | null, keyId: string): Promise<KeySummary> => {
    const key = await keys.find(orgId, keyId);
    if (!key) throw notFound('No such key');
    return key;
  };
  const isItself = (request: KeyRequest): boolean => {
    const principal = principalOn(request);
    return principal.kind === 'key' && principal.keyId === request.params.key_id;
  };
  /** Returns the end of a key of the installation that makes others for it: they end with it, so it can't make itself permanent. */
  const endOf = async (request: FastifyRequest): Promise<number | undefined> => {
    const principal = principalOn(request);
    if (organizationOn(request) !== null || principal.kind !== 'key') return undefined;
    return (await existing(null, principal.keyId)).expiresAt;
  };
  /** `ownEnd` is what `endOf` returns, for keys that are made. */
  const mayGive =
    (request: FastifyRequest, ownEnd = Number.POSITIVE_INFINITY) =>
    (rights: KeyRights, expiresAt = 0) => {
      requireMayGive(request.relation, rights, organizationOn(request));
      if (expiresAt <= ownEnd) return;
      const fault = `The key would outlive yours, which ends on ${isoSeconds(ownEnd)}`;
      throw new ServiceError('forbidden', fault, { param: 'expires_in_days' });
    };
  const requireServed = ({ relation }: FastifyRequest, model: string | null | undefined) => {
    if (model == null) return;
    // First, because the error of an unknown name lists others.
    if (typeof relation !== 'string') requireModel(relation, model, 'default_model');
    offerOf(model, models, { param: 'default_model' });
  };

  /** Returns the key that the path names. Throws `not_found`, and `forbidden` if the caller may not change it. */
  const changeable = async (request: KeyRequest): Promise<KeySummary> => {
    const key = await keys.find(organizationOn(request), request.params.key_id);
    const principal = principalOn(request);
    const isOwn = principal.kind === 'key' ? isItself(request) : principal.userId === key?.userId;
    if (!isOwn) requireMay(request.relation, 'keys.change-any');
    if (!key) throw notFound('No such key');
    return key;
  };

  /** Returns whose the key is that a request creates. What a key creates belongs to its user. */
  const userOf = async (request: FastifyRequest, given: string | null | undefined) => {
    if (given !== undefined) requireMay(request.relation, 'keys.change-any');
    if (given !== undefined || organizationOn(request) === null) return given ?? null;
    const principal = principalOn(request);
    if (principal.kind === 'user') return principal.userId;
    return principal.orgId === null ? null : (await existing(principal.orgId, principal.keyId)).userId;
  };

  app.get(
    path,
    described('keys.read', id('listKeys'), summary('List the keys of an organization'), {
      querystring: PageQuery(keyList, keyListFilters),
      params: OwnerParams,
      response: { 200: KeyListResponse },
    }),
    async (request) => {
      const orgId = organizationOn(request);
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
    described('keys.read', id('getKey'), summary('Get a key, its requests and its rotations'), {
      params: KeyParams,
      response: { 200: KeyResponse },
    }),
    async (request) => {
      const orgId = organizationOn(request);
      await recorder.flush();
      const key = await existing(orgId, request.params.key_id);
      const [listed] = await withRequests(orgId, [key]);
      return { ...listed!, lineage: (await keys.chainOf(key)).map(lineageView) };
    },
  );

  app.post(
    path,
    described('keys.create', id('createKey'), summary('Create a key'), {
      description: 'Only this response contains the secret.',
      params: OwnerParams,
      body: CreateKeyRequest,
      response: { 201: CreatedKeyResponse },
    }),
    async (request) => {
      const orgId = organizationOn(request);
      const { body } = request;
      const userId = await userOf(request, body.user_id);
      requireServed(request, body.default_model);
      const endsBy = await endOf(request);
      const created = await keys.create(
        { ...newKeyOf(body), orgId, userId, endsBy },
        mayGive(request, endsBy),
      );
      return createdKeyView(created);
    },
  );

  app.put(
    `${path}/external/:external_id`,
    described('keys.change-any', id('putKey'), summary('Create or change a key by your own id'), {
      description:
        'Creates the key with this `external_id`, or changes it to what the request states: a field that is absent ' +
        'stays as it is. The same request again has the same result, so a program that was interrupted can start ' +
        'again. The response has no secret, because you keep it. A key keeps its expiry. A key that has ended is replaced by a new one, with another secret.',
      params: Type.Object({ ...OwnerParams.properties, external_id: ExternalId }),
      body: PutKeyRequest,
      response: { 200: ChangedKeyResponse },
    }),
    async (request) => {
      const { body } = request;
      const orgId = organizationOn(request);
      const userId = await userOf(request, body.user_id);
      requireServed(request, body.default_model);
      const { external_id: externalId } = request.params;
      const endsBy = await endOf(request);
      const named = { ...newKeyOf(body), digest: body.secret_sha256, externalId, orgId, userId, endsBy };
      const keyId = await keys.put(named, keyChangeOf(body), mayGive(request, endsBy));
      return keyView(await existing(orgId, keyId));
    },
  );

  app.patch(
    `${path}/:key_id`,
    described('keys.change-own', id('changeKey'), summary('Change, pause or resume a key'), {
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
      const { default_model: defaultModel, user_id: userId, expires_at: end } = request.body;
      // Otherwise a leaked key could make itself permanent.
      if (end !== undefined && orgId === null && principalOn(request).kind === 'key') throw keyMayNot();
      if (userId !== undefined) requireMay(request.relation, 'keys.change-any');
      requireServed(request, defaultModel);
      await keys.change(keyId, keyChangeOf(request.body), mayGive(request));
      return keyView(await existing(orgId, keyId));
    },
  );

  app.post(
    `${path}/:key_id/revoke`,
    described('keys.replace-own', id('revokeKey'), summary('Revoke a key permanently'), {
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
    described('keys.replace-own', id('rotateKey'), summary('Replace a key with a new one'), {
      description:
        'A key can rotate itself. Members can rotate their own keys; admins and keys with `manage:keys` can ' +
        'rotate any key. The new key has the same scopes, models and networks.\n\n' +
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
      const { grace_seconds: graceSeconds = defaultGraceMs / 1_000, secret_sha256: digest } = request.body;
      const graceMs = graceSeconds * 1_000;
      const by = isItself(request) ? 'itself' : principalOn(request).kind === 'key' ? 'key' : 'person';
      // What a key gives to itself are its own rights.
      const given = by === 'itself' ? undefined : mayGive(request, await endOf(request));
      const rotated = await keys.rotate(keyId, graceMs, by, given, digest);
      return rotatedKeyView(keyId, rotated);
    },
  );

  app.post(
    `${path}/:key_id/link`,
    described('keys.replace-own', id('createKeyLink'), summary('Create a link that hands a key over'), {
      description:
        'The person who opens the link first gets a new secret of the key, which nobody else sees, and the secret from ' +
        'before stops working. The link expires after three days, and earlier if the key gets another secret. A key ' +
        'can’t hand itself over. Members can hand over their own keys; admins and keys with `manage:keys` can hand ' +
        'over any key.',
      params: KeyParams,
      response: { 201: KeyLinkResponse },
    }),
    async (request) => {
      const key = await changeable(request);
      // Nobody would find a leaked key by its secret any more.
      if (isItself(request)) throw keyMayNot();
      if (principalOn(request).kind === 'key') mayGive(request)(key);
      const { token, expiresAt } = await keyLinks.create(key.keyId);
      const url = `${addressOf(request, config.publicUrl)}/key#token=${token}`;
      return { url, expires_at: isoTime(expiresAt) };
    },
  );
}

/** Registers the route behind a link to a key. It is public, since the person who has the link may have no account. */
export function openKeyRoute(app: App, { keyLinks, attempts }: Services): void {
  app.post(
    '/v1/key-links/open',
    described('public', 'openKeyLink', 'Get the new secret of a key behind a link', {
      description: 'Only this response contains the secret.',
      body: OpenKeyLinkRequest,
      response: { 200: CreatedKeyResponse, 404: ErrorBody, 429: ErrorBody },
    }),
    async (request) => {
      await attempts.admit(request.ip, undefined);
      return createdKeyView(await keyLinks.open(request.body.token));
    },
  );
}
