import type { FastifyReply, FastifyRequest } from 'fastify';
import { fieldsOf } from '../../packages/small/src/json.ts';
import { codeOf, invalidField, invalidRequest, ServiceError, unavailable } from '../errors.ts';
import type { Services } from '../service/services.ts';
import type { AuthAnswer, AuthRequest } from '../users/sign-in.ts';
import { wrongPassword } from '../users/user.ts';
import { originOf } from './origin.ts';

type Question = Pick<AuthRequest, 'path' | 'body'> & {
  /** Default: POST. */
  readonly method?: AuthRequest['method'];
  /** Undefined: the request's own cookies. */
  readonly cookie?: string;
};

/**
 * Calls the sign-in library and sets its cookies on the reply. Throws the library's refusals as errors of the catalog.
 */
export async function forward(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  question: Question,
): Promise<AuthAnswer> {
  const answer = await ask(services, request, question);
  passCookies(answer, reply);
  if (answer.status >= 400) throw refusal(answer);
  return answer;
}

/**
 * Like `forward`, for a call that starts a session. `refuse` is called once the session has started. If it returns an
 * error, the session ends before anyone has its cookie, and the error is thrown.
 */
export async function forwardSignIn(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  question: Question,
  refuse: () => Promise<ServiceError | undefined>,
): Promise<AuthAnswer> {
  const answer = await ask(services, request, question);
  // The library fails if the user is deleted meanwhile. A full queue must look the same with and without an account.
  if (answer.status === 500) throw (await refuse()) ?? refusal(answer);
  if (answer.status >= 400) throw refusal(answer);
  const refused = await refuse();
  if (refused) {
    const cookie = answer.setCookies.map((line) => line.slice(0, line.indexOf(';'))).join('; ');
    await ask(services, request, { path: '/sign-out', body: {}, cookie });
    throw refused;
  }
  passCookies(answer, reply);
  return answer;
}

function ask({ signIn, config }: Services, request: FastifyRequest, question: Question): Promise<AuthAnswer> {
  refuseNul(question);
  return signIn.ask({
    method: 'POST',
    ...question,
    origin: originOf(request, config.publicUrl),
    cookie: question.cookie ?? request.headers.cookie,
    userAgent: request.headers['user-agent']?.slice(0, 300),
    address: request.ip,
  });
}

function passCookies({ setCookies }: AuthAnswer, reply: FastifyReply): void {
  if (setCookies.length > 0) reply.header('set-cookie', [...setCookies]);
}

/**
 * Makes the browser known as the user's. Call it once the user has chosen a new password or changed the second factor.
 */
export async function rememberBrowser(
  { users, devices }: Services,
  reply: FastifyReply,
  userId: string,
): Promise<void> {
  const credentials = await users.credentials(userId);
  if (credentials) reply.header('set-cookie', devices.cookie(credentials));
}

/**
 * Throws `invalid_request` for the NUL character, which Postgres can't store: the library would turn its error into a
 * 500.
 */
export function refuseNul({ path, body }: Question): void {
  const hasNul = Object.entries(body ?? {}).some(
    ([name, value]) => !/password$/i.test(name) && typeof value === 'string' && value.includes('\0'),
  );
  if (!path.includes('%00') && !hasNul) return;
  throw invalidRequest('Text must not contain the NUL character');
}

const known: Readonly<Record<string, () => ServiceError>> = {
  INVALID_EMAIL_OR_PASSWORD: () => new ServiceError('invalid_credentials', 'Wrong email or password'),
  USER_NOT_FOUND: () => new ServiceError('invalid_credentials', 'Wrong email or password'),
  INVALID_EMAIL: () => new ServiceError('invalid_credentials', 'Wrong email or password'),
  INVALID_CODE: () => new ServiceError('invalid_credentials', 'Wrong code'),
  INVALID_BACKUP_CODE: () => new ServiceError('invalid_credentials', 'Wrong code'),
  INVALID_TWO_FACTOR_COOKIE: () => new ServiceError('invalid_credentials', 'Sign in with the password first'),
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: () =>
    new ServiceError('invalid_credentials', 'Too many wrong codes. Sign in with the password again.'),
  INVALID_PASSWORD: wrongPassword,
  ACCOUNT_DISABLED: () =>
    new ServiceError('forbidden', 'This account is disabled. Ask an administrator to enable it.'),
  // The library could not write the new user.
  FAILED_TO_CREATE_USER: () => unavailable(new Error('signing up failed')),
  UNAVAILABLE: () => unavailable(new Error('signing in failed')),
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: () =>
    invalidField('email', 'A user with this email address already exists'),
};

const tooMany = 'Too many people are signing in. Try again later.';

/** Translates the library's refusal into an error of the catalog. */
function refusal({ status, body }: AuthAnswer): ServiceError {
  const code = codeOf(body) ?? '';
  const stated = fieldsOf(body).message;
  const message = typeof stated === 'string' ? stated : undefined;
  const translated = known[code];
  if (translated) return translated();
  if (status === 503) return new ServiceError('overloaded', message ?? tooMany, { retryAfterSeconds: 2 });
  if (status === 429) return new ServiceError('rate_limit_exceeded', message ?? tooMany);
  if (status >= 500) {
    const cause = new Error(`signing in failed: ${status} ${code}`);
    return new ServiceError('internal_error', 'Something went wrong on our side', { cause });
  }
  const text = message ?? 'The request failed. Check its fields and try again.';
  return new ServiceError(
    status === 403 ? 'forbidden' : status === 401 ? 'not_signed_in' : 'invalid_request',
    text,
  );
}
