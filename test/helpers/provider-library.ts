import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ClientMetadata, type Configuration, Provider } from 'oidc-provider';
import { readConfig } from '../../src/config/config.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { type Core, openCore } from '../../src/service/core.ts';
import { openLog } from '../../src/service/log.ts';
import { openPeople } from '../../src/service/people.ts';
import { temporaryDirectory } from './directory.ts';

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

/** An address that providers redirect browsers to, and where nothing listens. */
const nowhere = 'http://embedgate.test';

/** Opens the part of a service that its sign-in needs, on new data. */
export async function temporaryCore(): Promise<Core & AsyncDisposable> {
  const directory = temporaryDirectory();
  const core = await openCore(readConfig({ DATA_DIR: directory.path }), systemClock);
  return {
    ...core,
    async [Symbol.asyncDispose]() {
      await core.close();
      directory[Symbol.dispose]();
    },
  };
}

/** Returns the sign-in of a service with these settings on the data of `core`, and the lines that it logs. */
export function signInByProvider(
  core: Core,
  provider: {
    readonly environment: ProviderLibrary['environment'];
    consent(authorizationUrl: string): string | Promise<string>;
  },
  more: Readonly<Record<string, string>>,
) {
  const logged: string[] = [];
  const log = openLog('warn', { isTTY: true, write: (line: string) => logged.push(line) > 0 });
  const { dataDir } = core.config;
  const config = readConfig({ DATA_DIR: dataDir, PUBLIC_URL: nowhere, ...provider.environment, ...more });
  const { signIn } = openPeople({ ...core, config }, log);
  const browser = { origin: nowhere, userAgent: undefined, address: '127.0.0.1' };
  const cookieOf = (lines: readonly string[]) => lines.map((line) => line.split(';')[0]).join('; ');
  return {
    logged,
    /** Signs the person in. Returns where the browser ends up, and the user of its session. */
    async come() {
      const path = '/sign-in/social';
      const body = {
        provider: 'oidc',
        callbackURL: '/in',
        errorCallbackURL: '/login',
        disableRedirect: true,
      };
      const begun = await signIn.ask({ ...browser, method: 'POST', path, cookie: undefined, body });
      const { url } = begun.body as { url: string };
      const back = `/callback/oidc?${await provider.consent(url)}`;
      const cookie = cookieOf(begun.setCookies);
      const { location, setCookies } = await signIn.ask({ ...browser, method: 'GET', path: back, cookie });
      return { location, user: (await signIn.session(cookieOf(setCookies)))?.user };
    },
    [Symbol.dispose]: () => signIn.close(),
  };
}

export async function startProviderLibrary(kind: Kind, publicUrl = nowhere): Promise<ProviderLibrary> {
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
