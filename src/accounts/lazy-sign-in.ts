import type { SignIn, SignInSettings } from './sign-in.ts';

/** Whether the cookies may hold a session: asked before the library is loaded for it. */
export function mayHaveSession(cookie: string | undefined): cookie is string {
  return cookie?.includes('embedgate.session_token=') ?? false;
}

/**
 * better-auth, loaded at its first use: no start pays for it, nor does a service that only knows keys. One that could not reach
 * its OpenID Connect provider is made anew for the next question.
 */
export function lazySignIn(settings: SignInSettings): SignIn {
  let loading: Promise<SignIn & { readonly isWhole: boolean }> | undefined;
  const loaded = async (): Promise<SignIn> => {
    loading ??= import('./better-auth.ts').then(({ openSignIn }) => openSignIn(settings));
    try {
      const signIn = await loading;
      if (!signIn.isWhole) loading = undefined;
      return signIn;
    } catch (reason) {
      loading = undefined;
      throw reason;
    }
  };
  return {
    ask: async (request) => (await loaded()).ask(request),
    session: async (cookie) => (await loaded()).session(cookie),
  };
}
