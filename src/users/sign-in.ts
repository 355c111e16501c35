import type { BetterAuthOptions } from 'better-auth';
import type { SessionUser } from '../organizations/access.ts';
import type { Memberships } from '../organizations/members.ts';
import type { ClaimMap } from './claim-map.ts';

/** The stores' database as better-auth takes it, with Kysely. */
export type AuthDatabase = Extract<NonNullable<BetterAuthOptions['database']>, { db: unknown }>;

/** An application registered at a provider. */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface SignInSettings {
  database(): Promise<AuthDatabase>;
  /** Signs cookies and encrypts second factors. */
  readonly secret: string;
  /** The address at which browsers reach the service; null: taken from the request. */
  readonly publicUrl: string | null;
  /** Whether anyone may create an account. If not, only invited people may. */
  readonly isSignUpOpen: boolean;
  /** The longest that a session lasts, however it is used. Null: as long as it is used. */
  readonly sessionDays: number | null;
  readonly github: OAuthClient | null;
  readonly google: OAuthClient | null;
  /** `trustsEmail`: the operator vouches for the issuer's addresses, verified or not. */
  readonly oidc:
    | (OAuthClient & { issuer: string; name: string; trustsEmail: boolean; claimMap: ClaimMap | null })
    | null;
  /** Reports whether the address has an invitation that has not expired. */
  isInvited(email: string): Promise<boolean>;
  /** Prepares an account for a provider that has verified its address. Returns whether the provider may be linked. */
  makeWayForProvider(userId: string): Promise<boolean>;
  /** Makes the user's memberships that come from the provider exactly these. */
  setMapped(userId: string, memberships: Memberships): Promise<void>;
  /** Reports whether the user may not sign in; also true for a deleted user. */
  isDisabled(userId: string): Promise<boolean>;
  /** Reports whether a sign-in by a provider, named by its state, is completed for the first time. */
  claimState(state: string): Promise<boolean>;
  /** Reports whether the clock is not far ahead, or a person has confirmed it. */
  isClockTrusted(): Promise<boolean>;
  log(level: 'debug' | 'warn' | 'error', message: string, reason?: unknown): void;
}

/** A request to the library, checked by the route. */
export interface AuthRequest {
  readonly method: 'GET' | 'POST';
  /** The path below the library's base, with the query. */
  readonly path: string;
  /** The service's `https://host`, as the browser sees it. */
  readonly origin: string;
  readonly cookie: string | undefined;
  readonly userAgent: string | undefined;
  /** The client's address, shown with the session that the request begins. */
  readonly address: string;
  readonly body?: unknown;
}

export interface AuthAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly setCookies: readonly string[];
  readonly location: string | null;
}

/** The sign-in library, with the providers it was opened with. */
export interface AskLibrary {
  ask(request: AuthRequest): Promise<AuthAnswer>;
  session(cookie: string): Promise<{ user: SessionUser; setCookies: readonly string[] } | undefined>;
  /** Returns the user whose code a sign-in is waiting for, and only the cookies that say so. */
  challenge(cookies: string): Promise<{ userId: string; cookie: string } | undefined>;
}

export interface SignIn extends AskLibrary {
  /** Stops work in the background. */
  close(): void;
}
