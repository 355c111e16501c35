import { AsyncLocalStorage } from 'node:async_hooks';
import { withoutControls } from '../lib/harmless.ts';
import { fieldsOf } from '../lib/json.ts';
import type { AuthAnswer, SignInSettings } from './sign-in.ts';

/** What is known of a person's return from a provider, for the log. It has no values of claims. */
interface Attempt {
  claims?: readonly string[];
  step?: string;
  reason?: Error;
}

const attempts = new AsyncLocalStorage<Attempt>();

/** Causes that the operator can name only with these words, by the code that the sign-in page gets. */
const causes: Readonly<Record<string, string>> = {
  email_not_verified:
    'the claim email_verified is not true; OIDC_TRUST_EMAIL=on accepts the addresses of an issuer that you vouch for',
  email_not_found:
    'there is no claim email; OIDC_TRUST_EMAIL=on accepts an address in preferred_username instead',
};

/** Notes the names of the claims that a provider has sent. Maps none of them. */
export function noteClaims(claims: object) {
  const attempt = attempts.getStore();
  if (attempt) attempt.claims = Object.keys(claims);
  return {};
}

/** Notes what the library reports. Returns whether a refusal will be logged with it. */
export function noteStep(message: string, details: readonly unknown[]): boolean {
  const attempt = attempts.getStore();
  if (!attempt) return false;
  const reason = details.find((detail) => detail instanceof Error);
  const { error } = fieldsOf(details[0]);
  // A refused request for a token is logged without a message, as the response of the provider.
  attempt.step ??= message || `the token endpoint returns ${error ?? reason?.message ?? 'no token'}`;
  if (reason) attempt.reason ??= reason;
  return true;
}

/** Asks the library about a person whom a provider sends back, and logs one line if it refuses them. */
export async function loggingRefusal(
  settings: SignInSettings,
  path: string,
  ask: () => Promise<AuthAnswer>,
): Promise<AuthAnswer> {
  const provider = /^\/callback\/(\w+)/.exec(path)?.[1];
  if (provider === undefined) return ask();
  const attempt: Attempt = {};
  const answer = await attempts.run(attempt, ask);
  const code = URL.parse(answer.location ?? '', 'http://localhost')?.searchParams.get('error');
  if (code) {
    const issuer = provider === 'oidc' ? settings.oidc?.issuer : provider;
    const cause = causes[code] ?? attempt.step;
    const claims = attempt.claims?.join(', ') ?? 'none were read';
    const line = `a sign-in by ${issuer} is refused: ${code}${cause ? ` (${cause})` : ''}; claims: ${claims}`;
    settings.log('warn', withoutControls(line), attempt.reason);
  }
  return answer;
}
