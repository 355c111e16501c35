import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ClientMetadata, type Configuration, Provider } from 'oidc-provider';

interface Kind {
  /** What the person's claims are, beside `sub`. */
  readonly claims: Readonly<Record<string, unknown>>;
  readonly client?: Partial<ClientMetadata>;
  readonly configuration?: Configuration;
  /** Changes the discovery document, for what the library refuses to do wrong. */
  readonly discovery?: (document: Record<string, unknown>) => void;
}

/** A provider made of the certified library `oidc-provider`. It signs each visitor in without a question. */
export interface ProviderLibrary extends AsyncDisposable {
  readonly environment: Readonly<Record<string, string>>;
  /** Returns the query that the browser brings back from the provider. */
  consent(authorizationUrl: string): Promise<string>;
}

const secret = 'a secret with : and % for a client of 32 bytes';

export async function startProviderLibrary(publicUrl: string, kind: Kind): Promise<ProviderLibrary> {
  const server = createServer((request, response) => handle(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'embedgate',
        client_secret: secret,
        redirect_uris: [`${publicUrl}/auth/callback/oidc`],
        ...kind.client,
      },
    ],
    claims: {
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username'],
      groups: ['groups', 'realm_access'],
    },
    findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ ...kind.claims, sub }) }),
    cookies: { keys: ['test'] },
    features: { devInteractions: { enabled: false }, ...kind.configuration?.features },
    interactions: { url: () => '/sign-in' },
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({ accountId: oidc.session!.accountId!, clientId: 'embedgate' });
      grant.addOIDCScope('openid email profile groups');
      await grant.save();
      return grant;
    },
    ...Object.fromEntries(Object.entries(kind.configuration ?? {}).filter(([name]) => name !== 'features')),
  });
  const { discovery } = kind;
  if (discovery) {
    provider.use(async (ctx, next) => {
      await next();
      if (ctx.path.endsWith('/openid-configuration')) discovery(ctx.body as Record<string, unknown>);
    });
  }
  const library = provider.callback();
  const handle: Parameters<typeof createServer>[1] & object = (request, response) =>
    request.url === '/sign-in'
      ? provider.interactionFinished(request, response, { login: { accountId: 'ada' } })
      : library(request, response);
  return {
    environment: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'embedgate', OIDC_CLIENT_SECRET: secret },
    async consent(authorizationUrl) {
      const cookies = new Map<string, string>();
      for (let url = new URL(authorizationUrl); ; ) {
        const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
        const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        const location = response.headers.get('location');
        if (location === null) throw new Error(`the provider returns ${await response.text()}`);
        url = new URL(location, url);
        if (url.href.startsWith(publicUrl)) return url.search.slice(1);
      }
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
