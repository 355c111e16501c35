import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { validationMessage } from '../../api/validation-message.ts';
import type { Config } from '../../config/config.ts';
import { type ErrorCode, invalidField, invalidRequest, ServiceError, unavailable } from '../../errors.ts';
import { isDiskFull } from '../../lib/database.ts';
import type { App } from '../app-types.ts';
import { errorHeaders } from '../dialects/dialect.ts';
import { dialectOf } from '../dialects/dialects.ts';
import type { AddHeaders } from './response-headers.ts';

type Needs = Pick<Config, 'errorFormat' | 'bounds'>;

/**
 * If a parser refuses a body whose stated length is at most this many times the maximum, the connection stays open and
 * Node drops the rest, so that a client that is still sending gets the response. Otherwise the connection closes.
 */
const maxDroppedBodies = 4;

/** Turns everything that is thrown into an error of the catalog. The cause appears only in the log. */
export function errorHandler(app: App, log: Logger, config: Needs): void {
  app.setErrorHandler<FastifyError>(responder(log, config));
}

/** Handles requests whose URL can't be decoded. They fail before all hooks. */
export function unroutableHandler(addHeaders: AddHeaders, log: Logger, config: Needs) {
  const respond = responder(log, config);
  return async (thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await addHeaders(request, reply);
    respond(thrown, request, reply);
  };
}

/** While the database is away, thousands of requests a second can fail for the same reason. */
const warningsPerSecond = 10;

/** Returns a function that logs some warnings a second, and how many it left out before. */
function sparseWarnings(log: Logger) {
  let second = 0;
  let count = 0;
  return (fields: object, message: string): void => {
    const now = Math.floor(performance.now() / 1_000);
    if (now !== second) {
      if (count > warningsPerSecond)
        log.warn({ omitted: count - warningsPerSecond }, 'warnings were left out');
      [second, count] = [now, 0];
    }
    count += 1;
    if (count <= warningsPerSecond) log.warn(fields, message);
  };
}

function responder(log: Logger, { errorFormat, bounds }: Needs) {
  const warn = sparseWarnings(log);
  return (thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const error = errorOf(thrown, request);
    request.failure = error;
    // Overload is counted by the metrics instead: clients could fill the log.
    if (error.status >= 500 && error.code !== 'overloaded') {
      const fields = { reqId: request.id, err: thrown };
      if (error.code === 'internal_error') log.error(fields, error.code);
      else warn(fields, error.code);
    }
    // Fastify would close the connection. A client that is still sending would see a reset, and a proxy such as nginx
    // would report 502.
    const { 'content-length': stated } = request.headers;
    if (error.code === 'request_timeout') reply.header('connection', 'close');
    else if (Number(stated) <= maxDroppedBodies * bounds.maxBodyBytes) reply.removeHeader('connection');
    const { status, body } = dialectOf(request, errorFormat).error(error);
    reply
      .code(status)
      .headers(errorHeaders(error))
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(body));
  };
}

const frameworkErrors: Record<string, { code: ErrorCode; message: string }> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    message: 'Send the body as application/json',
  },
  FST_ERR_BAD_URL: { code: 'invalid_request', message: 'The URL is malformed' },
};

/** Error codes of a module that can't be loaded because npm is replacing the installation. */
const missingModule = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);

function errorOf(thrown: FastifyError | ServiceError, request: FastifyRequest): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown.validation) {
    const { message, param } = validationMessage(thrown.validation, request.body, thrown.validationContext);
    return invalidField(param, message);
  }
  if (missingModule.has(thrown.code)) return unavailable(thrown);
  const known = frameworkErrors[thrown.code];
  if (known) return new ServiceError(known.code, known.message);
  if (thrown.statusCode !== undefined && thrown.statusCode < 500) {
    return invalidRequest('The request is malformed', { cause: thrown });
  }
  return toServiceError(thrown);
}

/** Returns what clients may know of an error that a part of the service has thrown. */
export function toServiceError(thrown: Error): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (isDiskFull(thrown)) return unavailable(thrown);
  return new ServiceError('internal_error', 'Something went wrong on our side', { cause: thrown });
}
