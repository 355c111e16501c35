import { AsyncLocalStorage } from 'node:async_hooks';
import { fieldsOf } from '../../packages/small/src/json.ts';
import { withoutControls } from '../lib/harmless.ts';
import type { Memberships } from '../organizations/members.ts';
import type { AuthAnswer, SignInSettings } from './sign-in.ts';

/**
 * What is known of a person's return from a provider: the names of claims and what the library reports, for the log,
 * and the memberships that the claims stand for.
 */
interface Attempt {
  claims?: string;
  step?: string;
  memberships?: Memberships;
}
/** Providers can describe an error at any length. */
const maxDescription = 200;
const attempts = new AsyncLocalStorage<Attempt>();

/** Notes the names of the claims that a provider has sent. Maps none of them. */
export function noteClaims(claims: object) {
  Object.assign(attempts.getStore() ?? {}, { claims: Object.keys(claims).join(', ') });
  return {};
}

/** Notes the memberships that the person gets if the sign-in succeeds. */
export function noteMemberships(memberships: Memberships): void {
  Object.assign(attempts.getStore() ?? {}, { memberships });
}

/** Undefined: the person's memberships don't depend on this sign-in. */
export const notedMemberships = (): Memberships | undefined => attempts.getStore()?.memberships;

/** Notes what the library reports. Returns whether a refusal will be logged with it. */
export function noteStep(message: string, [detail]: readonly unknown[]): boolean {
  const attempt = attempts.getStore();
  const { error, message: reason } = fieldsOf(detail);
  // A refused request for a token is logged without a message, as the response of the provider.
  if (attempt) attempt.step ??= message || `the token endpoint returns ${error ?? reason ?? 'no token'}`;
  return attempt !== undefined;
}

/** Completes a sign-in with a provider. If the library refuses it, logs one line with the reason. */
export async function loggingRefusal(
  { oidc, log }: SignInSettings,
  path: string,
  ask: () => Promise<AuthAnswer>,
): Promise<AuthAnswer> {
  const provider = /^\/callback\/(\w+)/.exec(path)?.[1];
  if (provider === undefined) return ask();
  const attempt: Attempt = {};
  const answer = await attempts.run(attempt, ask);
  const query = URL.parse(answer.location ?? '', 'http://localhost')?.searchParams;
  const code = query?.get('error');
  if (code) {
    const issuer = provider === 'oidc' ? oidc?.issuer : provider;
    const described = query?.get('error_description')?.slice(0, maxDescription) ?? 'no details';
    const { step = described, claims = 'none were read' } = attempt;
    const line = `a sign-in by ${issuer} is refused: ${code} (${step}); claims: ${claims}`;
    log('warn', withoutControls(line));
  }
  return answer;
}
