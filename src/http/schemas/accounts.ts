import { Type } from 'typebox';
import { roles } from '../../accounts/roles.ts';
import { Id } from './common.ts';

export const Email = Type.String({ maxLength: 254, description: 'An e-mail address.' });
export const Password = Type.String({ maxLength: 128, description: '10 to 128 characters.' });
export const RoleName = Type.Enum([...roles], {
  type: 'string',
  description: 'Each may do all that the ones before it may: viewer, member, admin, owner.',
});
const Code = Type.String({ minLength: 6, maxLength: 64 });

export const SignInRequest = Type.Object(
  { email: Email, password: Type.String({ maxLength: 128 }) },
  { title: 'SignInRequest', examples: [{ email: 'ada@example.com', password: 'correct horse battery' }] },
);

export const SignInResponse = Type.Object(
  {
    status: Type.Enum(['signed_in', 'totp_required'], {
      type: 'string',
      description: '`totp_required`: send a code to `POST /v1/auth/sign-in/totp` within ten minutes.',
    }),
  },
  {
    title: 'SignIn',
    'x-response-description': 'The session is in a cookie.',
    examples: [{ status: 'signed_in' }],
  },
);

export const SignUpRequest = Type.Object(
  { email: Email, name: Type.String(), password: Password },
  {
    title: 'SignUpRequest',
    examples: [{ email: 'ada@example.com', name: 'Ada', password: 'correct horse battery' }],
  },
);

export const TotpSignInRequest = Type.Object(
  {
    code: Type.Optional(Code),
    backup_code: Type.Optional(Code),
    trust_device: Type.Optional(
      Type.Boolean({ default: false, description: 'Ask this browser for no code for 30 days.' }),
    ),
  },
  {
    title: 'TotpSignInRequest',
    description: 'A code of the authenticator, or one of the backup codes.',
    examples: [{ code: '123456' }],
  },
);

export const ProviderSignInRequest = Type.Object(
  {
    provider: Type.Enum(['github', 'google', 'oidc'], { type: 'string' }),
    return_to: Type.Optional(
      Type.String({
        pattern: '^/(?![/\\\\])',
        maxLength: 1_000,
        description: 'The page to come back to, as a path.',
        default: '/organizations',
      }),
    ),
  },
  { title: 'ProviderSignInRequest', examples: [{ provider: 'github', return_to: '/organizations' }] },
);

export const ProviderSignInResponse = Type.Object(
  { url: Type.String({ description: 'Where to send the browser.' }) },
  {
    title: 'ProviderSignIn',
    'x-response-description': 'The provider’s page.',
    examples: [{ url: 'https://github.com/login/oauth/authorize?client_id=…' }],
  },
);

export const SignInOptionsResponse = Type.Object(
  {
    sign_up: Type.Enum(['closed', 'open'], { type: 'string' }),
    password_reset: Type.Enum(['mail', 'administrator'], {
      type: 'string',
      description: 'How a forgotten password is replaced: by a mail, or by asking an administrator.',
    }),
    providers: Type.Array(
      Type.Object({ id: Type.String(), name: Type.String() }, { title: 'SignInProvider' }),
    ),
  },
  {
    title: 'SignInOptions',
    'x-response-description': 'What a sign-in page offers.',
    examples: [{ sign_up: 'closed', password_reset: 'mail', providers: [{ id: 'github', name: 'GitHub' }] }],
  },
);

export const ForgotPasswordRequest = Type.Object(
  { email: Email },
  { title: 'ForgotPasswordRequest', examples: [{ email: 'ada@example.com' }] },
);

export const ForgotPasswordResponse = Type.Object(
  { status: Type.Enum(['sent', 'ask_administrator'], { type: 'string' }) },
  {
    title: 'ForgotPassword',
    'x-response-description':
      '`sent`: a mail is under way if there is such a user, which this does not tell. `ask_administrator`: this service sends no mail.',
    examples: [{ status: 'sent' }],
  },
);

export const ResetPasswordRequest = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 200 }), new_password: Password },
  {
    title: 'ResetPasswordRequest',
    description: 'The token is what the link holds behind `#token=`.',
    examples: [{ token: 'q8s…', new_password: 'correct horse battery' }],
  },
);

export const ChangePasswordRequest = Type.Object(
  { current_password: Type.String({ maxLength: 128 }), new_password: Password },
  {
    title: 'ChangePasswordRequest',
    examples: [{ current_password: 'correct horse battery', new_password: 'staple correct horse' }],
  },
);

export const PasswordRequest = Type.Object(
  { password: Type.String({ maxLength: 128 }) },
  { title: 'PasswordRequest', examples: [{ password: 'correct horse battery' }] },
);

export const TotpSetupResponse = Type.Object(
  {
    uri: Type.String({ description: '`otpauth://…`: to be shown as a QR code.' }),
    backup_codes: Type.Array(Type.String(), {
      description: 'Each is good for one sign-in. Shown this once.',
    }),
  },
  {
    title: 'TotpSetup',
    'x-response-description': 'Not in force until a code is confirmed.',
    examples: [
      {
        uri: 'otpauth://totp/Embedgate:ada%40example.com?secret=ABC&issuer=Embedgate',
        backup_codes: ['a1b2c-d3e4f'],
      },
    ],
  },
);

export const CodeRequest = Type.Object(
  { code: Code },
  { title: 'CodeRequest', examples: [{ code: '123456' }] },
);

export const userFields = {
  user_id: Id(),
  email: Type.String(),
  name: Type.String(),
  is_admin: Type.Boolean({ description: 'Whether the user administers the installation.' }),
  uses_totp: Type.Boolean(),
};

export const exampleUser = {
  user_id: '01a19671-bdd8-7439-9c26-0d844f0260bb',
  email: 'ada@example.com',
  name: 'Ada',
  is_admin: false,
  uses_totp: false,
};

export const MeResponse = Type.Union(
  [
    Type.Object(
      { object: Type.Literal('user'), ...userFields },
      { title: 'MeUser', description: 'With a session.' },
    ),
    Type.Object(
      { object: Type.Literal('key'), key_id: Id(), org_id: Id() },
      { title: 'MeKey', description: 'With an API key.' },
    ),
  ],
  {
    'x-response-description': 'Who asks.',
    examples: [
      { object: 'user', ...exampleUser },
      {
        object: 'key',
        key_id: '01a19672-ac20-7527-8bb1-6cefd3e9e3ee',
        org_id: '01a19671-c1c0-7453-bb19-492ba816cd71',
      },
    ],
  },
);

export const RenameRequest = Type.Object(
  { name: Type.String({ description: '1 to 200 characters.' }) },
  { title: 'RenameRequest', examples: [{ name: 'Ada' }] },
);
