import { fieldsOf, type JsonObject } from '../../packages/small/src/json.ts';
import { unavailable } from '../errors.ts';
import { within } from '../lib/clock.ts';
import { lazily } from '../lib/lazily.ts';
import { OidcSignIn } from './oidc-sign-in.ts';
import type { AuthRequest, SignIn, SignInSettings } from './sign-in.ts';

/** Reports whether the cookies may contain a session. Checked before the library is loaded to look it up. */
export function mayHaveSession(cookie: string | undefined): cookie is string {
  return cookie?.includes('embedgate.session_token=') ?? false;
}

/** Deadline of requests that contact a provider, for which the library sets none. */
const providerDeadlineMs = 20_000;

/**
 * Returns better-auth, loaded on first use: no start waits for it, and a service that only uses keys never loads it.
 * The OpenID Connect provider has its own instance, so that passwords and sessions never wait for the provider.
 */
export function lazySignIn(settings: SignInSettings): SignIn {
  const { oidc, log } = settings;
  const open = async (provider: SignInSettings['oidc'], discovery: JsonObject = {}) =>
    (await import('./better-auth.ts')).openSignIn({ ...settings, oidc: provider }, discovery);
  const byProvider =
    oidc && new OidcSignIn({ issuer: oidc.issuer, open: (discovery) => open(oidc, discovery), log });
  const own = lazily(async () => {
    byProvider?.start();
    return open(null);
  });

  // A sign-out doesn't wait for the provider, where the person signs out too.
  const ownOf = ({ path }: AuthRequest) => (path === '/sign-out' && byProvider?.opened) || own.get();

  return {
    async ask(request) {
      const library = byProvider && isForOidc(request) ? await byProvider.get() : await ownOf(request);
      if (!asksProvider(request)) return library.ask(request);
      return within(providerDeadlineMs, library.ask(request)).catch((reason) => {
        throw unavailable(reason);
      });
    },
    session: async (cookie) => (await own.get()).session(cookie),
    challenge: async (cookies) => (await own.get()).challenge(cookies),
    close: () => byProvider?.close(),
  };
}

const asksProvider = ({ path }: AuthRequest): boolean =>
  path === '/sign-in/social' || path.startsWith('/callback/');

function isForOidc({ path, body }: AuthRequest): boolean {
  if (path === '/sign-in/social') return fieldsOf(body).provider === 'oidc';
  return /^\/callback\/oidc(?![^?])/.test(path);
}
