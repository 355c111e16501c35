import type { ErrorFormat, ServiceError } from '../errors.ts';

/** The error as the caller asked for it: ours, or OpenAI's. */
export function errorBody(error: ServiceError, format: ErrorFormat): object {
  if (format === 'flat') return { error: error.code, message: error.message };
  return {
    error: { message: error.message, type: error.openaiType, param: error.param ?? null, code: error.code },
  };
}

/** `Retry-After`, `WWW-Authenticate`, and what keeps OpenAI's SDKs from retrying a quota that comes back in hours or weeks. */
export function errorHeaders(error: ServiceError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (error.retryAfterSeconds !== undefined) headers['retry-after'] = String(error.retryAfterSeconds);
  // RFC 9110, section 15.5.2.
  if (error.status === 401) headers['www-authenticate'] = 'Bearer';
  if (error.code === 'rate_limit_exceeded' && (error.retryAfterSeconds ?? 0) > 60) {
    headers['x-should-retry'] = 'false';
  }
  return headers;
}
