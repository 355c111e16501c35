import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthAnswer, AuthRequest } from '../accounts/sign-in.ts';
import { ServiceError } from '../errors.ts';
import type { Services } from '../services.ts';
import { originOf } from './origin.ts';

type Question = Pick<AuthRequest, 'method' | 'path' | 'body'>;

/**
 * Asks the sign-in library, puts its cookies on the reply and answers its body. Throws what it refused as an error of ours.
 */
export async function forward(
  { signIn, config }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  question: Question,
): Promise<AuthAnswer> {
  refuseNul(question);
  const answer = await signIn.ask({
    ...question,
    origin: originOf(request, config.publicUrl),
    cookie: request.headers.cookie,
    userAgent: request.headers['user-agent']?.slice(0, 300),
  });
  if (answer.setCookies.length > 0) reply.header('set-cookie', [...answer.setCookies]);
  if (answer.status >= 400) throw refusal(answer);
  return answer;
}

/** Postgres can't hold the character in a text, and the library would make an error of ours out of that. */
function refuseNul({ path, body }: Question): void {
  const stored = Object.entries(body ?? {}).filter(([name]) => !/password$/i.test(name));
  if (!path.includes('%00') && !JSON.stringify(stored).includes('\\u0000')) return;
  throw new ServiceError('invalid_request', 'No text may have the NUL character');
}

const known: Readonly<Record<string, () => ServiceError>> = {
  INVALID_EMAIL_OR_PASSWORD: () => new ServiceError('invalid_credentials', 'Wrong e-mail or password'),
  INVALID_EMAIL: () => new ServiceError('invalid_credentials', 'Wrong e-mail or password'),
  INVALID_CODE: () => new ServiceError('invalid_credentials', 'Wrong code'),
  INVALID_BACKUP_CODE: () => new ServiceError('invalid_credentials', 'Wrong code'),
  INVALID_TWO_FACTOR_COOKIE: () => new ServiceError('invalid_credentials', 'Sign in with the password first'),
  INVALID_PASSWORD: () => new ServiceError('invalid_request', 'The password is wrong', { param: 'password' }),
  INVALID_TOKEN: () =>
    new ServiceError('invalid_request', 'This link is not valid any more: ask for a new one', {
      param: 'token',
    }),
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: () =>
    new ServiceError('invalid_request', 'There is a user with this e-mail already', { param: 'email' }),
};

/** The library's refusals, in the words of our catalogue. */
function refusal({ status, body }: AuthAnswer): ServiceError {
  const { code = '', message } = (body ?? {}) as { code?: string; message?: string };
  const translated = known[code];
  if (translated) return translated();
  if (status >= 500) {
    const cause = new Error(`signing in failed: ${status} ${code}`);
    return new ServiceError('internal_error', 'Something went wrong on our side', { cause });
  }
  const text = message ?? 'This is not possible';
  return new ServiceError(
    status === 403 ? 'forbidden' : status === 401 ? 'not_signed_in' : 'invalid_request',
    text,
  );
}
