import { type Static, Type } from 'typebox';
import type { Principal } from '../organizations/access.ts';
import { Id, Many, Nullable, response, Text } from './common.ts';
import { Code, GivenPassword } from './sign-in.ts';
import { ownFields, ownView, Password } from './user.ts';

const MeUser = Type.Object(
  { object: Type.Literal('user'), ...ownFields },
  { title: 'MeUser', description: 'For a request with a session.' },
);

const MeKey = Type.Object(
  { object: Type.Literal('key'), key_id: Id(), org_id: Nullable(Id('Null: a key of the installation.')) },
  { title: 'MeKey', description: 'For a request with an API key.' },
);

export const MeResponse = Type.Union([MeUser, MeKey], {
  'x-response-description': 'The caller.',
});

export function meUserView(user: Parameters<typeof ownView>[0]): Static<typeof MeUser> {
  return { object: 'user', ...ownView(user) };
}

export function meKeyView({ keyId, orgId }: Extract<Principal, { kind: 'key' }>): Static<typeof MeKey> {
  return { object: 'key', key_id: keyId, org_id: orgId };
}

export const RenameRequest = Type.Object(
  { name: Text('1 to 200 characters.') },
  { title: 'RenameRequest', examples: [{ name: 'Ada' }] },
);

export const ChangePasswordRequest = Type.Object(
  { current_password: GivenPassword, new_password: Password },
  {
    title: 'PasswordChange',
    examples: [{ current_password: 'correct horse battery', new_password: 'staple correct horse' }],
  },
);

export const PasswordRequest = Type.Object(
  { password: GivenPassword },
  { title: 'PasswordRequest', examples: [{ password: 'correct horse battery' }] },
);

export const TotpSetupResponse = Type.Object(
  {
    uri: Text('`otpauth://…`, to show as a QR code.'),
    backup_codes: Many(Type.String(), 'Each code works for one sign-in. They are shown only once.'),
  },
  response('TotpSetup', 'The second factor takes effect once a code is confirmed.'),
);

export const CodeRequest = Type.Object(
  { code: Code },
  { title: 'CodeRequest', examples: [{ code: '123456' }] },
);
