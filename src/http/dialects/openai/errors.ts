import type { ErrorCode, ServiceError } from '../../../errors.ts';

/** OpenAI's names for kinds of errors. All others are an `invalid_request_error`. */
const types: Partial<Record<ErrorCode, string>> = {
  invalid_api_key: 'authentication_error',
  not_signed_in: 'authentication_error',
  invalid_credentials: 'authentication_error',
  forbidden: 'permission_error',
  internal_error: 'server_error',
  overloaded: 'server_error',
  unavailable: 'server_error',
};

/**
 * Returns an error as OpenAI's API states it. Its clients wait and retry after `rate_limit_exceeded`, and give up after
 * `insufficient_quota`.
 */
export function openaiError(error: ServiceError): { status: number; body: object } {
  const { status, type, code } = kindOf(error);
  const { message, param = null } = error;
  return { status, body: { error: { message, type, param, code } } };
}

function kindOf({ code, status, fault, exceeded }: ServiceError) {
  if (fault === 'unknown model')
    return { status: 404, type: 'invalid_request_error', code: 'model_not_found' };
  if (code !== 'rate_limit_exceeded') return { status, type: types[code] ?? 'invalid_request_error', code };
  if (exceeded?.window === 'month') return { status, type: 'insufficient_quota', code: 'insufficient_quota' };
  return { status, type: exceeded?.unit === 'tokens' ? 'tokens' : 'requests', code };
}
