import { Type } from 'typebox';
import { Id, Nullable, Timestamp } from './common.ts';

const keyFields = {
  key_id: Id(),
  org_id: Id(),
  user_id: Type.String({ description: 'The user whom the key belongs to.' }),
  user_name: Nullable(Type.String({ description: 'Their name; null if there is no user with this id.' })),
  name: Type.String({ description: 'What it is for.' }),
  status: Type.Enum(['active', 'revoked'], { type: 'string', description: '`revoked` is final.' }),
  hint: Type.String({ description: '`sk_…` and the last four characters.' }),
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp),
  expires_at: Timestamp,
  revoked_at: Nullable(Timestamp),
  rotated_from: Nullable(Id('The key that this one replaces.')),
};

const Key = Type.Object(keyFields, { title: 'Key', description: 'An API key, without its secret.' });

const exampleKey = {
  key_id: '01a19672-ac20-7527-8bb1-6cefd3e9e3ee',
  org_id: '01a19671-c1c0-7453-bb19-492ba816cd71',
  user_id: 'ada',
  user_name: 'Ada',
  name: 'laptop',
  status: 'active',
  hint: 'sk_…9f3c',
  created_at: '2026-11-01T09:31:00.000Z',
  last_used_at: null,
  expires_at: '2027-11-01T09:31:00.000Z',
  revoked_at: null,
  rotated_from: null,
};

export const KeyListResponse = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(Key),
  },
  {
    title: 'KeyList',
    'x-response-description': 'All keys of the organization, newest first, the revoked ones as well.',
    examples: [
      {
        object: 'list',
        data: [exampleKey],
      },
    ],
  },
);

export const RevokedKeyResponse = Type.Object(
  {
    ...keyFields,
    also_revoked: Type.Array(Id(), {
      description: 'The keys that it had made by rotating itself and that were active until now.',
    }),
  },
  {
    title: 'RevokedKey',
    'x-response-description': 'The key as it is now.',
    examples: [
      { ...exampleKey, status: 'revoked', revoked_at: '2026-11-02T08:00:00.000Z', also_revoked: [] },
    ],
  },
);

export const CreateKeyRequest = Type.Object(
  {
    name: Type.String({ description: 'What it is for: 1 to 200 characters.' }),
    expires_in_days: Type.Optional(
      Nullable(
        Type.Integer({ minimum: 1, maximum: 365_000, description: 'Default: 365. null: it never expires.' }),
      ),
    ),
  },
  { title: 'CreateKeyRequest', examples: [{ name: 'laptop', expires_in_days: 90 }] },
);

const createdKeyFields = {
  key_id: Id(),
  org_id: Id(),
  user_id: Type.String(),
  name: Type.String(),
  status: Type.Literal('active'),
  key: Type.String({ description: 'The secret: `sk_` and 64 hexadecimal characters. Shown this once.' }),
  expires_at: Timestamp,
};
const exampleCreatedKey = {
  key_id: '01a19672-ac20-7527-8bb1-6cefd3e9e3ee',
  org_id: '01a19671-c1c0-7453-bb19-492ba816cd71',
  user_id: '01a19671-bdd8-7439-9c26-0d844f0260bb',
  name: 'laptop',
  status: 'active',
  key: 'sk_…',
  expires_at: '2027-02-01T09:31:00.000Z',
};

export const CreatedKeyResponse = Type.Object(createdKeyFields, {
  title: 'CreatedKey',
  'x-response-description': 'The key, with its secret.',
  examples: [exampleCreatedKey],
});

export const RotateKeyRequest = Type.Object(
  {
    grace_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 31_536_000,
        default: 86_400,
        description: 'How long the old key stays valid. It never outlives its own expiry.',
      }),
    ),
  },
  { title: 'RotateKeyRequest', examples: [{ grace_seconds: 3_600 }] },
);

export const RotatedKeyResponse = Type.Object(
  {
    ...createdKeyFields,
    replaces: Type.Object(
      { key_id: Id(), expires_at: Timestamp },
      { title: 'ReplacedKey', description: 'The old key, and until when it is valid.' },
    ),
  },
  {
    title: 'RotatedKey',
    'x-response-description': 'The new key, with its secret.',
    examples: [
      {
        ...exampleCreatedKey,
        replaces: { key_id: '01a19671-d748-7502-99d6-38e65d15886d', expires_at: '2026-11-02T09:31:00.000Z' },
      },
    ],
  },
);
