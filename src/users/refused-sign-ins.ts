import { AsyncLocalStorage } from 'node:async_hooks';
import { fieldsOf } from '../../packages/small/src/json.ts';
import { isEmail } from '../lib/email.ts';
import { withoutControls } from '../lib/harmless.ts';
import type { Memberships } from '../organizations/members.ts';
import type { AuthAnswer, SignInSettings } from './sign-in.ts';

/** What is known of a person's return from a provider. */
interface Attempt {
  /** The names of the claims. */
  claims?: string;
  /** Why it is refused. */
  step?: string;
  /** What the claims stand for, and a sentence for the log if that is nothing. */
  memberships?: Memberships;
  unmapped?: string | undefined;
}
/** Providers can describe an error at any length. */
const maxDescription = 200;
const attempts = new AsyncLocalStorage<Attempt>();

const unverified = 'the provider does not state that the address is verified';
/** Why the library refuses a sign-in, by its codes. Its own messages are for programmers. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['state_mismatch', 'it began in another browser or too long ago, or was completed before'],
  ['issuer_mismatch', 'the provider returns another issuer than its discovery document has'],
  ['email_not_found', 'the provider sends no email address that an account can have'],
  ['email_not_verified', unverified],
  ['account_not_linked', unverified],
]);

/** Notes what becomes known during a sign-in with a provider. */
export const note = (known: Attempt): void => void Object.assign(attempts.getStore() ?? {}, known);

/** Maps the claims of GitHub and Google. An address that no account can have is not verified. */
export function mapProfile(claims: { readonly email?: string | null }) {
  note({ claims: Object.keys(claims).join(', ') });
  return isEmail(claims.email ?? '') ? {} : { emailVerified: false };
}

/** Undefined: the person's memberships don't depend on this sign-in. */
export const notedMemberships = (): Memberships | undefined => attempts.getStore()?.memberships;

/** Notes what the library reports. Returns whether a refusal will be logged with what matters of it. */
export function noteReport(message: string, [detail]: readonly unknown[]): boolean {
  const { error, status } = fieldsOf(detail);
  const returned = typeof error === 'string' ? error.slice(0, maxDescription) : status;
  // A refused request for a token is reported without a message, as the response of the provider.
  if (message === '') note({ step: `the token endpoint returns ${returned ?? 'nothing usable'}` });
  return attempts.getStore() !== undefined;
}

/** Completes a sign-in with a provider. Logs one line with the reason if it is refused, or gives no membership. */
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
  const { step, claims = 'none were read', unmapped } = attempt;
  const by = `a sign-in by ${provider === 'oidc' ? oidc?.issuer : provider}`;
  if (code) {
    const described = query?.get('error_description')?.slice(0, maxDescription);
    const reason = step ?? (code === 'no_mapped_value' ? unmapped : (reasons.get(code) ?? described));
    const hint = reason === unverified && provider === 'oidc' ? ': see OIDC_TRUST_EMAIL' : '';
    const why = `${reason ?? 'no details'}${hint}`;
    log('warn', withoutControls(`${by} is refused: ${code} (${why}); claims: ${claims}`));
  } else if (unmapped !== undefined) log('warn', withoutControls(`${by} gives no membership: ${unmapped}`));
  return answer;
}
