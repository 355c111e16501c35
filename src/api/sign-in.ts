import { Type } from 'typebox';
import { Choice, Nullable, response, Text } from './common.ts';
import { Email, Password } from './user.ts';

/** A password to check, which may be shorter than a new one must be. */
export const GivenPassword = Type.String({ maxLength: 128 });
export const Code = Type.String({ minLength: 6, maxLength: 64 });

export const SignInRequest = Type.Object(
  { email: Email, password: GivenPassword },
  { title: 'Credentials', examples: [{ email: 'ada@example.com', password: 'correct horse battery' }] },
);

export const SignInResponse = Type.Object(
  {
    status: Choice(
      ['signed_in', 'totp_required'],
      '`totp_required`: send a code to `POST /v1/auth/sign-in/totp` within ten minutes.',
    ),
  },
  response('SignInStatus', 'The session is in a cookie.'),
);

export const SignUpRequest = Type.Object(
  { email: Email, name: Type.String(), password: Password },
  {
    title: 'NewAccount',
    examples: [{ email: 'ada@example.com', name: 'Ada', password: 'correct horse battery' }],
  },
);

export const TotpSignInRequest = Type.Object(
  {
    code: Type.Optional(Code),
    backup_code: Type.Optional(Code),
    trust_device: Type.Optional(
      Type.Boolean({ default: false, description: 'Do not ask this browser for a code for 30 days.' }),
    ),
  },
  {
    title: 'TotpSignInRequest',
    description: 'A code from the authenticator app, or a backup code.',
    examples: [{ code: '123456' }],
  },
);

export const ProviderSignInRequest = Type.Object(
  {
    provider: Choice(['github', 'google', 'oidc']),
    return_to: Type.Optional(
      Type.String({
        // Printable ASCII, because the path becomes a header.
        pattern: '^/(?![/\\\\])[\\x21-\\x7e]*$',
        maxLength: 1_000,
        description: 'The path of the page to return to, below the address of the service.',
        default: '/organizations',
      }),
    ),
  },
  { title: 'ProviderSignInRequest', examples: [{ provider: 'github', return_to: '/organizations' }] },
);

export const SignOutResponse = Type.Object(
  {
    url: Text('Where the browser goes next, to end the session at the OpenID Connect provider too.'),
  },
  {
    ...response('SignedOut', 'The session has ended.'),
    examples: [{ url: 'https://login.example.com/logout?client_id=embedgate' }],
  },
);

export const ProviderSignInResponse = Type.Object(
  { url: Text('The address to send the browser to.') },
  response('ProviderSignIn', 'The provider’s page.'),
);

export const SignInOptionsResponse = Type.Object(
  {
    password_sign_in: Choice(
      ['on', 'off'],
      '`off`: people sign in only with a provider. A password that the command line set works for an hour.',
    ),
    sign_up: Choice(['closed', 'open']),
    password_reset: Choice(
      ['mail', 'administrator'],
      'How users replace a forgotten password: with a mailed link, or with one from an administrator.',
    ),
    providers: Type.Array(
      Type.Object({ id: Type.String(), name: Type.String() }, { title: 'SignInProvider' }),
    ),
    contact: Nullable(Text('The email address of the people who operate this service.')),
    has_session: Type.Boolean({ description: 'Whether the request has a session’s cookie.' }),
  },
  response('SignInOptions', 'The options that a sign-in page shows.'),
);

export const ForgotPasswordRequest = Type.Object(
  { email: Email },
  { title: 'AddressOfUser', examples: [{ email: 'ada@example.com' }] },
);

export const ForgotPasswordResponse = Type.Object(
  { status: Choice(['sent', 'ask_administrator']) },
  response(
    'ResetMail',
    '`sent`: the service mails a link if the user exists. The response does not reveal whether they do. ' +
      '`ask_administrator`: this service sends no mail.',
  ),
);

export const ResetPasswordRequest = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 200 }), new_password: Password },
  {
    title: 'PasswordReset',
    description: 'The token is the part of the link after `#token=`.',
    examples: [{ token: 'q8s…', new_password: 'correct horse battery' }],
  },
);
