import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { signInByProvider, startProviderLibrary, temporaryGate } from '../../helpers/provider-library.ts';

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
    refusal: /email_not_verified \(.*not state that the address is verified.*claims: .*\bemail\b/,
  },
  'email_verified false': { claims: { ...whole, email_verified: false }, refusal: /email_not_verified/ },
  'email_verified "false"': { claims: { ...whole, email_verified: 'false' }, refusal: /email_not_verified/ },
  'no email_verified, and trust': { claims: { email }, settings: trusted },
  'email_verified false, and trust': { claims: { ...whole, email_verified: false }, settings: trusted },
  'no email': {
    claims: { preferred_username: email },
    refusal: /email_not_found \(.*claims: .*preferred_username/,
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
    refusal: /unable_to_get_user_info \(.*id_token failed verification/,
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
      await using gate = await temporaryGate();
      using person = signInByProvider(gate, provider, { SIGN_UP: 'open', ...settings });
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
