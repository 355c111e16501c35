import type { AuthDatabase } from './auth-database.ts';

/** An application at a provider, as it was registered there. */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface SignInSettings {
  database(): Promise<AuthDatabase>;
  /** What cookies are signed with and second factors encrypted under. */
  readonly secret: string;
  /** Where browsers reach the service; null: as the request says. */
  readonly publicUrl: string | null;
  /** Whether anybody may make an account; else invited people only. */
  readonly isSignUpOpen: boolean;
  readonly github: OAuthClient | null;
  readonly google: OAuthClient | null;
  readonly oidc: (OAuthClient & { readonly issuer: string; readonly name: string }) | null;
  /** Whether an invitation waits for this address. */
  isInvited(email: string): Promise<boolean>;
  /** Whether a provider that has proved the address of a user may be linked to the account. */
  makeWayForProvider(userId: string): Promise<boolean>;
  /** Whether the user may not sign in; true for a user who is gone as well. */
  isDisabled(userId: string): Promise<boolean>;
  log(level: 'debug' | 'warn' | 'error', message: string, reason?: unknown): void;
}

/** Who is signed in. */
export interface SessionUser {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly isAdmin: boolean;
  readonly usesTotp: boolean;
  readonly sessionId: string;
}

/** A question to the library, as the route has checked it. */
export interface AuthRequest {
  readonly method: 'GET' | 'POST';
  /** Below its base, with the query. */
  readonly path: string;
  /** `https://host` of the service, as the browser sees it. */
  readonly origin: string;
  readonly cookie: string | undefined;
  readonly userAgent: string | undefined;
  /** Where the request comes from, to be shown with the session that it begins. */
  readonly address: string;
  readonly body?: unknown;
}

export interface AuthAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly setCookies: readonly string[];
  readonly location: string | null;
}

/** The sign-in library, with the providers that it was opened with. */
export interface AskLibrary {
  ask(request: AuthRequest): Promise<AuthAnswer>;
  session(cookie: string): Promise<{ user: SessionUser; setCookies: readonly string[] } | undefined>;
}

export interface SignIn extends AskLibrary {
  /** Ends what goes on in the background. */
  close(): void;
}
