import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OidcPerson {
  readonly sub: string;
  readonly email: string;
  /** A provider may send anything as a claim. */
  readonly email_verified: unknown;
  readonly name: unknown;
  /** Other claims, also those of the ID token itself. */
  readonly [claim: string]: unknown;
}

/** An OpenID Connect provider that signs every visitor in as the configured person. */
export interface OidcProvider extends AsyncDisposable {
  readonly issuer: string;
  /** The settings of a service that uses the provider. */
  readonly environment: Readonly<Record<string, string>>;
  person: OidcPerson;
  /** The header of the ID token. */
  header: { readonly alg: string; readonly kid: string };
  /** What the token endpoint returns. Undefined: tokens of the person. */
  tokens: unknown;
  /** Signs with a new key, and publishes only that. */
  rotate(): void;
  /** From now on it accepts requests without responding, until the test changes that. */
  silence(isSilent: boolean): void;
  /** What the browser brings back from the provider's page: the query of the callback. */
  consent(authorizationUrl: string): string;
}

export async function startOidcProvider(): Promise<OidcProvider> {
  const newKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
  let keys = newKeys();
  let published = 'k1';
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
    const content = `${base64({ typ: 'JWT', ...provider.header })}.${base64(claims)}`;
    return `${content}.${sign('sha256', Buffer.from(content), keys.privateKey).toString('base64url')}`;
  };
  const answers: Record<string, () => unknown> = {
    '/.well-known/openid-configuration': () => ({
      issuer: provider.issuer,
      authorization_endpoint: `${provider.issuer}/authorize`,
      token_endpoint: `${provider.issuer}/token`,
      userinfo_endpoint: `${provider.issuer}/userinfo`,
      jwks_uri: `${provider.issuer}/jwks`,
      end_session_endpoint: `${provider.issuer}/logout?realm=acme`,
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    '/jwks': () => ({
      keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: published, alg: 'RS256', use: 'sig' }],
    }),
    '/token': () =>
      provider.tokens ?? {
        access_token: 'access',
        token_type: 'Bearer',
        expires_in: 60,
        id_token: idToken(),
      },
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
    header: { alg: 'RS256', kid: published },
    tokens: undefined,
    rotate() {
      keys = newKeys();
      published = 'k2';
      provider.header = { alg: 'RS256', kid: published };
    },
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
