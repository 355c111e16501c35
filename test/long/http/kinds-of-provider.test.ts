import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { startOidcProvider } from '../../helpers/oidc-provider.ts';
import { signInByProvider, startProviderLibrary, temporaryCore } from '../../helpers/provider-library.ts';
import { untilEnd } from '../../helpers/until-end.ts';

const email = 'ada@example.com';
const whole = { email, email_verified: true, name: 'Ada' };
const inToken = { conformIdTokenClaims: false };
const curveKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
const rsaKey = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ format: 'jwk' });
const edKey = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
const trusted = { OIDC_TRUST_EMAIL: 'on' };
type Kind = Omit<Parameters<typeof startProviderLibrary>[0], 'claims'> & {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly settings?: Record<string, string>;
  /** What a refusal's line of the log contains. Undefined: the person is signed in. */
  readonly refusal?: RegExp;
};
const onlyDiscovered = (methods: string[]) => ({
  discovery: (document: Record<string, unknown>) => {
    document.token_endpoint_auth_methods_supported = methods;
  },
});
const method = (token_endpoint_auth_method: 'client_secret_basic' | 'client_secret_post') => ({
  client: { token_endpoint_auth_method },
});

const kinds: Readonly<Record<string, Kind>> = {
  'claims in userinfo only': {},
  'claims in the ID token': { configuration: inToken },
  'a signed userinfo response': {
    configuration: { ...inToken, features: { jwtUserinfo: { enabled: true } } },
    client: { userinfo_signed_response_alg: 'RS256' },
  },
  'no userinfo endpoint': {
    configuration: { ...inToken, features: { userinfo: { enabled: false } } },
  },
  'ID tokens signed with ES256': {
    client: { id_token_signed_response_alg: 'ES256' },
    configuration: { jwks: { keys: [{ ...curveKey, alg: 'ES256', use: 'sig', kid: 'k1' }] } },
  },
  'ID tokens signed with EdDSA': {
    client: { id_token_signed_response_alg: 'EdDSA' },
    configuration: { jwks: { keys: [{ ...edKey, alg: 'EdDSA', use: 'sig', kid: 'k1' }] } },
  },
  'ID tokens signed with PS256': {
    client: { id_token_signed_response_alg: 'PS256' },
    configuration: {
      enabledJWA: { idTokenSigningAlgValues: ['PS256', 'RS256'] },
      jwks: { keys: [{ ...rsaKey, use: 'sig', kid: 'k1' }] },
    },
  },
  'an email in capitals': { claims: { ...whole, email: email.toUpperCase() } },
  'no name': { claims: { email, email_verified: true } },
  'PKCE required': { configuration: { pkce: { required: () => true } } },
  'a client that sends its secret in the header': method('client_secret_basic'),
  'a client that sends its secret in the body': method('client_secret_post'),
  'a client for the header, and discovery that lists it': {
    ...method('client_secret_basic'),
    ...onlyDiscovered(['client_secret_basic']),
  },
  'a client for the body, and discovery that lists it': {
    ...method('client_secret_post'),
    ...onlyDiscovered(['private_key_jwt', 'client_secret_post']),
  },
  'a client for the header, and discovery without a list': {
    ...method('client_secret_basic'),
    discovery: (document) => delete document.token_endpoint_auth_methods_supported,
  },
  'email_verified as a text': { claims: { ...whole, email_verified: 'true' } },
  'no email_verified': {
    claims: { email },
    refusal: /email_not_verified \(.*is verified: see OIDC_TRUST_EMAIL\); claims: .*\bemail\b/,
  },
  'email_verified false': { claims: { ...whole, email_verified: false }, refusal: /email_not_verified/ },
  'email_verified "false"': { claims: { ...whole, email_verified: 'false' }, refusal: /email_not_verified/ },
  'no email_verified, and trust': { claims: { email }, settings: trusted },
  'email_verified false, and trust': { claims: { ...whole, email_verified: false }, settings: trusted },
  'no email': {
    claims: { preferred_username: email },
    refusal: /email_not_found \(the provider sends no email address .*claims: .*preferred_username/,
  },
  'no email, and trust': { claims: { preferred_username: email }, settings: trusted },
  'no email, trust, and a name that is no address': {
    claims: { preferred_username: 'ada' },
    settings: trusted,
    refusal: /email_not_found/,
  },
  'ID tokens signed with HS256': {
    client: { id_token_signed_response_alg: 'HS256' },
    configuration: { enabledJWA: { idTokenSigningAlgValues: ['HS256', 'RS256'] } },
    refusal: /unable_to_get_user_info \(the ID token is signed with "HS256": choose RS256/,
  },
  'another secret': {
    settings: { OIDC_CLIENT_SECRET: 'wrong' },
    refusal: /invalid_code \(the token endpoint returns invalid_client\)/,
  },
};

describe('OpenID Connect providers', () => {
  for (const [name, { claims = whole, settings, refusal, ...kind }] of Object.entries(kinds)) {
    test(`${name}: ${refusal ? 'the log says why the sign-in is refused' : 'signs in'}`, async () => {
      await using provider = await startProviderLibrary({ claims, ...kind });
      await using core = await temporaryCore();
      using person = signInByProvider(core, provider, { SIGN_UP: 'open', ...settings });
      const { location, user } = await person.come();
      if (!refusal) {
        assert.deepEqual([location, user?.email, person.logged], ['/in', email, []]);
        return;
      }
      assert.match(location ?? '', /^\/login\?error=/);
      assert.equal(user, undefined);
      const [line = '', ...others] = person.logged;
      assert.deepEqual(others, []);
      assert.match(line, refusal);
      assert.ok(line.includes(provider.environment.OIDC_ISSUER!));
      assert.ok(!line.includes(email), 'the log has values of claims');
    });
  }
});

describe('an ID token', async () => {
  const provider = untilEnd(await startOidcProvider());
  const core = untilEnd(await temporaryCore());
  const page = untilEnd(signInByProvider(core, provider, { SIGN_UP: 'open' }));
  const { header } = provider;
  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;
  /** Returns the line of the log about a sign-in with these claims, or undefined if it succeeds. */
  const comeWith = async (claims: object) => {
    provider.person = { sub: '1', email, email_verified: true, name: 'Ada', ...claims };
    const { user } = await page.come();
    const lines = page.logged.splice(0);
    assert.equal(lines.length, user ? 0 : 1);
    return lines[0];
  };

  test('is accepted with a clock that differs by less than a minute, and when the provider has a new key', async () => {
    assert.equal(await comeWith({ exp: inSeconds(-30), nbf: inSeconds(30) }), undefined);
    provider.rotate();
    assert.equal(await comeWith({ name: { given: 'Ada' } }), undefined);
    provider.header = header;
    assert.match(
      (await comeWith({})) ?? '',
      /ID token's kid, "k1", names none of the keys for "RS256" at http/,
    );
    provider.rotate();
  });

  const refused: Readonly<Record<string, [claims: () => object, RegExp]>> = {
    'that expired': [() => ({ exp: inSeconds(-90) }), /expired 9\d seconds ago by this machine's clock/],
    'without an expiry': [() => ({ exp: undefined }), /has no exp/],
    'from the future': [() => ({ nbf: inSeconds(90) }), /is valid from \d+ on, and it is \d+ by this/],
    'for nobody': [() => ({ aud: [] }), /audience is \[\], not OIDC_CLIENT_ID, "embedgate"/],
    'for another client': [() => ({ aud: 'other' }), /audience is "other", not OIDC_CLIENT_ID/],
    'for another party': [
      () => ({ aud: ['embedgate', 'other'], azp: 'other' }),
      /azp is "other", not OIDC_CLIENT_ID, "embedgate"/,
    ],
    'of another issuer': [
      () => ({ iss: 'https://other.example' }),
      /issuer is "https:..other.example", not "http/,
    ],
    'of another sign-in': [() => ({ nonce: 'other' }), /another nonce than this sign-in/],
    'of nobody': [() => ({ sub: '' }), /has no sub/],
  };
  for (const [name, [claims, reason]] of Object.entries(refused)) {
    test(`${name} is refused, and the log says what differs`, async () => {
      assert.match((await comeWith(claims())) ?? '', reason);
    });
  }

  test('must come with the access token: userinfo alone signs nobody in', async () => {
    for (const tokens of [{ access_token: 'access' }, '<html>']) {
      provider.tokens = tokens;
      assert.match((await comeWith({})) ?? '', /the token endpoint returns no ID token/);
    }
    provider.tokens = undefined;
  });

  test('with an address that only becomes another person’s in lower case does not sign in as that person', async () => {
    const { user } = await core.users.create({ email: 'kim@example.com', emailVerified: true });
    const line = await comeWith({ sub: '2', email: '\u212aim@example.com' });
    assert.match(line ?? '', /account_not_linked/);
    assert.match((await comeWith({ sub: '3', email: '\u212aelvin@example.com' })) ?? '', /email_not_/);
    assert.equal(await comeWith({ sub: '4', email: 'KIM@example.com' }), undefined);
    assert.equal((await page.come()).user?.userId, user.userId);
  });
});
