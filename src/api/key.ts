import { type Static, Type } from 'typebox';
import { invalidField } from '../errors.ts';
import {
  type CreatedKey as CreatedKeyRecord,
  type KeyChange,
  type KeySummary,
  keyFilters,
  type NewKey,
  neverMs,
} from '../keys/key.ts';
import { allScopes } from '../keys/rights.ts';
import { isoTime } from '../lib/clock.ts';
import type { ListedLimit } from '../quota/limit.ts';
import { type RequestsOfDay, seriesOf } from '../usage/reports.ts';
import {
  Choice,
  Count,
  Flag,
  Id,
  Many,
  Nullable,
  PageResponse,
  response,
  Text,
  Timestamp,
  time,
  Whole,
} from './common.ts';
import { FullestLimit, fullestView } from './limit.ts';
import { viewOf } from './view.ts';

const Scopes = (description: string) => Many(Choice(allScopes), description);

const Key = Type.Object(
  {
    key_id: Id(),
    org_id: Nullable(Id('The organization. Null: a key of the installation.')),
    user_id: Nullable(
      Text(
        'The user who owns the key: an account’s id, or any other name. Null: a program created it for nobody.',
      ),
    ),
    external_id: Nullable(Text('Your own name of the key, unique in its organization.')),
    user_name: Nullable(
      Text(
        'The user’s name. `The operator`: an administrator who is no member. Null: there is no user with this id.',
      ),
    ),
    name: Text('What the key is for.'),
    default_model: Nullable(Text('The model of requests that name none. Null: the service’s.')),
    status: Choice(['active', 'revoked'], '`revoked` is permanent.'),
    enabled: Flag('False: the key is paused, so that its requests get 401.'),
    scopes: Scopes('What the key may do. Empty: nothing.'),
    models: Nullable(Many(Type.String(), 'The models that the key may use. Null: all. Empty: none.')),
    networks: Nullable(
      Many(Type.String(), 'Where its requests may come from. Null: everywhere. Empty: nowhere.'),
    ),
    hint: Text('Such as `sk_…6f9b`, with the last four characters. Empty: only the client knows the secret.'),
    created_at: Timestamp,
    last_used_at: Nullable(Timestamp),
    expires_at: Timestamp,
    revoked_at: Nullable(Timestamp),
    rotated_from: Nullable(Id('The key that this one replaces.')),
  },
  { title: 'Key', description: 'An API key, without its secret.' },
);
type Key = Static<typeof Key>;

export const ChangedKeyResponse = Type.Object(Key.properties, response('ChangedKey', 'The changed key.'));

export const keyView: (key: KeySummary) => Key = viewOf(Key);

const ListedKey = Type.Object(
  {
    ...Key.properties,
    requests_30d: Count(
      'Requests with a result in the last 30 days (UTC, including today), counted or cached.',
    ),
    series_30d: Many(Type.Integer(), 'The same by day, oldest first: 30 numbers.'),
    fullest_limit: FullestLimit,
  },
  { title: 'ListedKey', description: 'An API key, without its secret, and its requests.' },
);

export function listedKeyView(
  key: KeySummary,
  rows: readonly RequestsOfDay[],
  days: readonly number[],
  fullest: ListedLimit | undefined,
) {
  const series = seriesOf(rows, days);
  const requests = series.reduce((sum, of) => sum + of, 0);
  const fullest_limit = fullestView(fullest);
  return { ...keyView(key), requests_30d: requests, series_30d: series, fullest_limit };
}

export const keyListFilters = {
  external_id: Type.Optional(Text('Lists only the key with this external id.')),
  user_id: Type.Optional(Text('Lists only the keys of this user.')),
  status: Type.Optional(
    Choice(
      keyFilters,
      'Lists only keys that are active; active but expiring within 30 days; active but not used for 30 days; ' +
        'or revoked or expired. Default: all keys.',
    ),
  ),
};

export const KeyListResponse = PageResponse(
  'KeyList',
  ListedKey,
  'A page of the organization’s keys, by default newest first, including revoked keys.',
  {
    counts: Type.Object(
      { active: Count(), expiring: Count(), unused: Count(), revoked: Count(), all: Count() },
      { title: 'KeyCounts', description: 'The number of keys that match `q` with each `status`.' },
    ),
  },
);

const LineageKey = Type.Object(
  {
    key_id: Id(),
    name: Key.properties.name,
    hint: Key.properties.hint,
    status: Key.properties.status,
    created_at: Timestamp,
    expires_at: Timestamp,
  },
  { title: 'LineageKey' },
);

export const KeyResponse = Type.Object(
  {
    ...ListedKey.properties,
    lineage: Many(
      LineageKey,
      'The keys that this key has replaced, this key, and those that have replaced it, oldest first: the newest 100.',
    ),
  },
  response('KeyDetails', 'The key, its requests and its rotations.'),
);

export const lineageView = viewOf(LineageKey);

export const RevokedKeyResponse = Type.Object(
  {
    ...Key.properties,
    also_revoked: Many(
      Id(),
      'The keys that this key had created by rotating itself and that were active until now.',
    ),
  },
  response('RevokedKey', 'The revoked key.'),
);

const SecretSha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description:
    'The SHA-256, in lowercase hexadecimal, of a secret that you have made and keep: 16 to 256 letters, digits and ' +
    'signs of ASCII without spaces, which nobody can guess. It can be a key of another system. The response then has no ' +
    'secret that could get lost.',
});

export const CreateKeyRequest = Type.Object(
  {
    name: Text('What the key is for: 1 to 200 characters.'),
    default_model: Type.Optional(
      Text(
        'The name or an alias of the model for requests that name none, for clients that can’t choose one.',
      ),
    ),
    expires_in_days: Type.Optional(
      Nullable(Whole('Default: 365. Null: the key never expires.', { minimum: 1, maximum: 365_000 })),
    ),
    scopes: Type.Optional(
      Scopes(
        'What the key may do. Default: all of an organization’s but `manage:keys`, which only owners and ' +
          'administrators give. A key with that one must expire, and can’t have `embed`, `rerank` or `batch`. A key of ' +
          'the installation must name its scopes.',
      ),
    ),
    user_id: Type.Optional(
      Nullable(
        Text(
          'The user who owns the key: any name, such as that of your own customer’s user. Only those who may change any ' +
            'key may state it. Default: the account, or the user of the key, that sends the request.',
        ),
      ),
    ),
    external_id: Type.Optional(Text('Your own name of the key, unique in its organization.')),
    secret_sha256: Type.Optional(SecretSha256),
    models: Type.Optional(
      Nullable(
        Many(
          Type.String(),
          'The models that the key may use, by the names and aliases that requests write, up to 100. Default: all.',
        ),
      ),
    ),
    networks: Type.Optional(
      Nullable(
        Many(
          Type.String(),
          'The addresses and networks from which requests with the key may come, such as `203.0.113.0/24` or ' +
            '`2001:db8::/32`, up to 32. From elsewhere, the key gets the 401 of an unknown one. Default: null, from ' +
            'everywhere. Empty: from nowhere.',
        ),
      ),
    ),
  },
  {
    title: 'NewKey',
    examples: [
      { name: 'laptop', expires_in_days: 90 },
      { name: 'crawler', scopes: ['embed', 'batch'] },
    ],
  },
);

export const ChangeKeyRequest = Type.Partial(
  Type.Object({
    name: CreateKeyRequest.properties.name,
    default_model: Nullable(Text('A name or an alias of a served model. Null: the service’s.')),
    expires_at: Nullable(time('In the future. Null: the key never expires.')),
    enabled: Flag('False pauses the key, and true resumes it.'),
    scopes: Scopes('As for a new key.'),
    user_id: Nullable(Text('As for a new key.')),
    models: Nullable(Many(Type.String(), 'As for a new key. Null: all.')),
    networks: Nullable(Many(Type.String(), 'As for a new key. Null: everywhere.')),
  }),
  { title: 'KeyChanges', examples: [{ enabled: false }] },
);

/** Returns what a request changes of a key. Throws `invalid_request`. */
export function keyChangeOf({
  default_model: defaultModel,
  expires_at: end,
  user_id: userId,
  ...changes
}: Static<typeof ChangeKeyRequest>): KeyChange {
  const expiresAt = typeof end === 'string' ? Date.parse(end) : neverMs;
  if (Number.isNaN(expiresAt)) throw invalidField('expires_at', 'expires_at must be a date and time');
  return {
    ...changes,
    ...(defaultModel !== undefined && { defaultModel }),
    ...(userId !== undefined && { userId }),
    ...(end !== undefined && { expiresAt }),
  };
}

const dayMs = 86_400_000;

/** Returns what a request says about the key to create. */
export function newKeyOf({
  expires_in_days: days,
  default_model: defaultModel,
  user_id: _,
  external_id: externalId,
  secret_sha256: digest,
  ...description
}: Static<typeof CreateKeyRequest>): Omit<NewKey, 'orgId' | 'userId'> {
  return {
    ...description,
    externalId,
    digest,
    defaultModel: defaultModel ?? null,
    lifetimeMs: days === null ? Number.POSITIVE_INFINITY : days && days * dayMs,
  };
}

const { external_id: _, ...putProperties } = CreateKeyRequest.properties;

export const PutKeyRequest = Type.Object(
  { ...putProperties, secret_sha256: SecretSha256 },
  {
    title: 'KeyByExternalId',
    examples: [
      {
        name: 'server',
        secret_sha256: '2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b',
      },
    ],
  },
);

const { key_id, org_id, user_id, external_id, expires_at } = Key.properties;
const createdKey = {
  key_id,
  org_id,
  user_id,
  external_id,
  name: Type.String(),
  status: Type.Literal('active'),
  key: Nullable(
    Text(
      'The secret: `sk_` and 64 hexadecimal characters, or `KEY_PREFIX`, `_`, as many and a checksum. It is shown only ' +
        'once. Null: you have sent its SHA-256.',
    ),
  ),
  expires_at,
};

export const CreatedKeyResponse = Type.Object(
  createdKey,
  response('CreatedKey', 'The key, with its secret.'),
);

/** Contains the secret, which no other view shows. */
export function createdKeyView({ key, secret }: CreatedKeyRecord): Static<typeof CreatedKeyResponse> {
  const { key_id, org_id, user_id, external_id, name, expires_at } = keyView(key);
  return { key_id, org_id, user_id, external_id, name, status: 'active', key: secret || null, expires_at };
}

export const KeyLinkResponse = Type.Object(
  {
    url: Text('The page on which a person sees the new secret. Send it to them.'),
    expires_at: Timestamp,
  },
  {
    ...response('KeyLink', 'A link that hands the key over. It works once.'),
    examples: [{ url: 'https://embed.example.com/key#token=q8s…', expires_at: '2026-12-03T09:00:00.000Z' }],
  },
);

export const OpenKeyLinkRequest = Type.Object(
  { token: Text('What follows `#token=` in the link.') },
  { title: 'KeyLinkToken', examples: [{ token: 'q8s…' }] },
);

export const RotateKeyRequest = Type.Object(
  {
    grace_seconds: Type.Optional(
      Whole('How long the old key stays valid. It still expires at its own expiry if that is earlier.', {
        minimum: 0,
        maximum: 31_536_000,
        default: 86_400,
      }),
    ),
    secret_sha256: Type.Optional(SecretSha256),
  },
  { title: 'KeyRotation', examples: [{ grace_seconds: 3_600 }] },
);

export const RotatedKeyResponse = Type.Object(
  {
    ...createdKey,
    replaces: Type.Object(
      { key_id, expires_at },
      { title: 'ReplacedKey', description: 'The old key and its expiry.' },
    ),
  },
  response('RotatedKey', 'The new key, with its secret.'),
);

export function rotatedKeyView(
  replacedId: string,
  { oldExpiresAt, ...created }: CreatedKeyRecord & { oldExpiresAt: number },
): Static<typeof RotatedKeyResponse> {
  const replaces = { key_id: replacedId, expires_at: isoTime(oldExpiresAt) };
  return { ...createdKeyView(created), replaces };
}
