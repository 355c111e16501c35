import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { type ErrorCode, type ErrorFormat, errorFormats, ServiceError, unavailable } from '../../errors.ts';
import type { App } from '../app-types.ts';
import { droppedBodies } from '../connections.ts';
import { errorBody, errorHeaders } from '../error-body.ts';
import type { RateLimits } from '../rate-limits.ts';
import { validationMessage } from '../validation-message.ts';
import { addSecurityHeaders } from './security-headers.ts';

type Needs = Pick<Config, 'errorFormat' | 'bounds'>;

/** Turns whatever was thrown into one of the catalogue's errors. The reason itself goes to the log alone. */
export function errorHandler(app: App, log: Logger, config: Needs): void {
  app.setErrorHandler<FastifyError>(responder(log, config));
}

/** Responds to a request that failed before it reached a route, and so before all hooks: its URL can't be decoded. */
export function unroutableHandler(
  limits: RateLimits,
  log: Logger,
  config: Needs & Pick<Config, 'publicUrl'>,
) {
  const respond = responder(log, config);
  return async (thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.header('x-request-id', request.id).headers(await limits.ofRequest(request, 400));
    addSecurityHeaders(reply, config.publicUrl);
    respond(thrown, request, reply);
  };
}

function responder(log: Logger, { errorFormat, bounds }: Needs) {
  return (thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const error = toServiceError(thrown, request);
    // That a bound was reached is counted: a line for each would let clients fill the log.
    if (error.status >= 500 && error.code !== 'overloaded') {
      const reason = error.cause ?? thrown;
      log[error.code === 'internal_error' ? 'error' : 'warn']({ reqId: request.id, err: reason }, error.code);
    }
    // Fastify would close the connection: a client that is still sending sees a reset, and a proxy such as nginx reports 502.
    if (Number(request.headers['content-length']) <= droppedBodies * bounds.maxBodyBytes)
      reply.removeHeader('connection');
    reply
      .code(error.status)
      .headers(errorHeaders(error))
      .type('application/json; charset=utf-8')
      // As text: a route's response schema knows our own shape only.
      .send(JSON.stringify(errorBody(error, formatOf(request, errorFormat))));
  };
}

function formatOf(request: FastifyRequest, fallback: ErrorFormat): ErrorFormat {
  const asked = request.headers['x-error-format'];
  return errorFormats.find((format) => format === asked) ?? fallback;
}

const frameworkErrors: Record<string, { code: ErrorCode; message: string }> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    message: 'Send the body as application/json',
  },
  FST_ERR_BAD_URL: { code: 'invalid_request', message: 'The URL is malformed' },
};

/** Of what is loaded when it is first needed, while npm replaces the installation that the service runs from. */
const missingModule = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);

function toServiceError(thrown: FastifyError | ServiceError, request: FastifyRequest): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown.validation) {
    const { message, param } = validationMessage(thrown.validation, request.body, thrown.validationContext);
    return new ServiceError('invalid_request', message, { param });
  }
  if (missingModule.has(thrown.code)) return unavailable(thrown);
  const known = frameworkErrors[thrown.code];
  if (known) return new ServiceError(known.code, known.message);
  if (thrown.statusCode !== undefined && thrown.statusCode < 500) {
    return new ServiceError('invalid_request', 'The request is malformed', { cause: thrown });
  }
  return new ServiceError('internal_error', 'Something went wrong on our side', { cause: thrown });
}
