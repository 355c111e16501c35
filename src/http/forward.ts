import type { FastifyReply, FastifyRequest } from 'fastify';
import { wrongPassword } from '../accounts/accounts.ts';
import type { AuthAnswer, AuthRequest } from '../accounts/sign-in.ts';
import { ServiceError } from '../errors.ts';
import type { Services } from '../service/services.ts';
import { originOf } from './origin.ts';

type Question = Pick<AuthRequest, 'method' | 'path' | 'body'> & {
  /** Undefined: those of the request. */
  readonly cookie?: string;
};

/** Asks the sign-in library, and puts its cookies on the reply. Throws what it refused as an error of ours. */
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
 * Asks the sign-in library, as `forward` does, for something that begins a session. `refuse` is called when the session has begun. When it returns an
 * error, the session ends before anybody has its cookie, and the error is thrown.
 */
export async function forwardSignIn(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  question: Question,
  refuse: () => Promise<ServiceError | undefined>,
): Promise<AuthAnswer> {
  const answer = await ask(services, request, question);
  if (answer.status >= 400) throw refusal(answer);
  const refused = await refuse();
  if (refused) {
    const cookie = answer.setCookies.map((line) => line.slice(0, line.indexOf(';'))).join('; ');
    await ask(services, request, { method: 'POST', path: '/sign-out', body: {}, cookie });
    throw refused;
  }
  passCookies(answer, reply);
  return answer;
}

function ask({ signIn, config }: Services, request: FastifyRequest, question: Question): Promise<AuthAnswer> {
  refuseNul(question);
  return signIn.ask({
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

/** Postgres can't hold the character in a text, and the library would make an error of ours out of that. */
export function refuseNul({ path, body }: Question): void {
  const stored = Object.entries(body ?? {}).filter(([name]) => !/password$/i.test(name));
  if (!path.includes('%00') && !JSON.stringify(stored).includes('\\u0000')) return;
  throw new ServiceError('invalid_request', 'No text may have the NUL character');
}

const known: Readonly<Record<string, () => ServiceError>> = {
  INVALID_EMAIL_OR_PASSWORD: () => new ServiceError('invalid_credentials', 'Wrong e-mail or password'),
  USER_NOT_FOUND: () => new ServiceError('invalid_credentials', 'Wrong e-mail or password'),
  INVALID_EMAIL: () => new ServiceError('invalid_credentials', 'Wrong e-mail or password'),
  INVALID_CODE: () => new ServiceError('invalid_credentials', 'Wrong code'),
  INVALID_BACKUP_CODE: () => new ServiceError('invalid_credentials', 'Wrong code'),
  INVALID_TWO_FACTOR_COOKIE: () => new ServiceError('invalid_credentials', 'Sign in with the password first'),
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: () =>
    new ServiceError('invalid_credentials', 'Too many wrong codes: sign in with the password again'),
  INVALID_PASSWORD: wrongPassword,
  ACCOUNT_DISABLED: () =>
    new ServiceError('forbidden', 'This account is disabled: ask an administrator to enable it'),
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: () =>
    new ServiceError('invalid_request', 'There is a user with this e-mail already', { param: 'email' }),
};

const tooMany = 'Too many people are signing in. Try again later.';

/** The library's refusals, in the words of our catalogue. */
function refusal({ status, body }: AuthAnswer): ServiceError {
  const { code = '', message } = (body ?? {}) as { code?: string; message?: string };
  const translated = known[code];
  if (translated) return translated();
  if (status === 503) return new ServiceError('overloaded', message ?? tooMany, { retryAfterSeconds: 2 });
  if (status === 429) return new ServiceError('rate_limit_exceeded', message ?? tooMany);
  if (status >= 500) {
    const cause = new Error(`signing in failed: ${status} ${code}`);
    return new ServiceError('internal_error', 'Something went wrong on our side', { cause });
  }
  const text = message ?? 'The request could not be carried out. Check what was sent, and try again.';
  return new ServiceError(
    status === 403 ? 'forbidden' : status === 401 ? 'not_signed_in' : 'invalid_request',
    text,
  );
}
