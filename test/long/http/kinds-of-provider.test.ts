import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { Browser } from '../../helpers/browser.ts';
import { eventually } from '../../helpers/eventually.ts';
import { freePort } from '../../helpers/free-port.ts';
import { startProviderLibrary } from '../../helpers/provider-library.ts';
import { startService } from '../../helpers/service.ts';

const email = 'ada@example.com';
const whole = { email, email_verified: true, name: 'Ada' };
const inToken = { conformIdTokenClaims: false };
const curveKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
const trusted = { OIDC_TRUST_EMAIL: 'on' };
type Kind = Omit<Parameters<typeof startProviderLibrary>[1], 'claims'> & {
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
      const port = await freePort();
      const publicUrl = `http://127.0.0.1:${port}`;
      await using provider = await startProviderLibrary(publicUrl, { claims, ...kind });
      const own = { PORT: String(port), PUBLIC_URL: publicUrl, SIGN_UP: 'open' };
      const environment = { ...own, ...provider.environment, ...settings };
      await using service = await startService({ environment });
      const page = new Browser(service.address);
      const asked = { provider: 'oidc' };
      const { url } = await page.ask<{ url: string }>(200, 'POST', '/v1/auth/sign-in/provider', asked);
      const response = await page.send('GET', `/auth/callback/oidc?${await provider.consent(url)}`);
      const logged = () => service.stderr().split('\n').filter(Boolean);
      if (!refusal) {
        assert.equal(response.headers.get('location'), '/organizations', service.stderr());
        assert.equal((await page.ask<{ email: string }>(200, 'GET', '/v1/me')).email, email);
        assert.deepEqual(logged(), []);
        return;
      }
      assert.match(response.headers.get('location') ?? '', /^\/login\?error=/);
      await eventually(() => logged().length > 0);
      const lines = logged();
      assert.equal(lines.length, 1, lines.join('\n'));
      assert.match(lines[0]!, refusal);
      assert.ok(lines[0]!.includes(provider.environment.OIDC_ISSUER!));
      assert.ok(!lines[0]!.includes(email), 'the log has values of claims');
    });
  }
});
