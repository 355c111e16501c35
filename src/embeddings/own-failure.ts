import { ServiceError } from '../errors.ts';
import { TextFailed } from './text-errors.ts';

export const isGone = (reason: unknown): boolean =>
  reason instanceof ServiceError && reason.code === 'request_timeout';

export const isRefusal = (reason: unknown): boolean =>
  reason instanceof ServiceError && reason.code === 'rate_limit_exceeded';

/** Reports whether a failure concerns only this request, not the others that wait for the same texts. */
export function isOwnFailure(reason: unknown): boolean {
  if (reason instanceof TextFailed || isGone(reason)) return true;
  if (!(reason instanceof ServiceError)) return false;
  // Another key or person may have no such limit, and another request fewer texts and tokens.
  const { exceeded } = reason;
  if (exceeded && (exceeded.isOfSender || exceeded.unit !== 'requests')) return true;
  return reason.code === 'invalid_request';
}
