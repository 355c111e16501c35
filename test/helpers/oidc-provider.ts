import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OidcPerson {
  readonly sub: string;
  readonly email: string;
  /** A provider may send anything as a claim. */
  readonly email_verified: unknown;
  readonly name: string;
}

/** An OpenID Connect provider that signs every visitor in as the configured person. */
export interface OidcProvider extends AsyncDisposable {
  readonly issuer: string;
  /** The settings of a service that uses the provider. */
  readonly environment: Readonly<Record<string, string>>;
  person: OidcPerson;
  /** From now on it accepts requests without responding, until the test changes that. */
  silence(isSilent: boolean): void;
  /** What the browser brings back from the provider's page: the query of the callback. */
  consent(authorizationUrl: string): string;
}

export async function startOidcProvider(): Promise<OidcProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  let asked = new URLSearchParams();

  const idToken = (): string => {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: provider.issuer,
      aud: asked.get('client_id'),
      nonce: asked.get('nonce'),
      iat: now,
      exp: now + 60,
      ...provider.person,
    };
    const content = `${base64({ alg: 'RS256', kid: 'k1', typ: 'JWT' })}.${base64(claims)}`;
    return `${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`;
  };
  const answers: Record<string, () => object> = {
    '/.well-known/openid-configuration': () => ({
      issuer: provider.issuer,
      authorization_endpoint: `${provider.issuer}/authorize`,
      token_endpoint: `${provider.issuer}/token`,
      userinfo_endpoint: `${provider.issuer}/userinfo`,
      jwks_uri: `${provider.issuer}/jwks`,
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    '/jwks': () => ({
      keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }],
    }),
    '/token': () => ({ access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token: idToken() }),
    '/userinfo': () => provider.person,
  };
  let isSilent = false;
  const server = createServer((request, response) => {
    if (isSilent) return;
    const answer = answers[request.url ?? ''];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer?.() ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: OidcProvider = {
    issuer,
    environment: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'embedgate', OIDC_CLIENT_SECRET: 'secret' },
    person: { sub: '1', email: 'nobody@example.com', email_verified: true, name: 'Nobody' },
    silence(silent) {
      isSilent = silent;
    },
    consent(authorizationUrl) {
      asked = new URL(authorizationUrl).searchParams;
      return new URLSearchParams({ code: 'granted', state: asked.get('state') ?? '' }).toString();
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return provider;
}
