import { ServiceError } from '../errors.ts';
import { isoSeconds } from '../lib/clock.ts';
import type { Standing } from './decide.ts';
import type { LimitStanding, LimitUnit, Units } from './limit.ts';

/** Returns the error of a request that `by` refuses. `units` are the request's. */
export function exceeded(by: Standing | LimitStanding, units: Units, nowMs: number): ServiceError {
  const resetsAt = isoSeconds(by.resetsAtMs);
  const options = { retryAfterSeconds: Math.max(1, Math.ceil((by.resetsAtMs - nowMs) / 1_000)) };
  if (!('unit' in by)) {
    const what = by.window === 'month' ? 'Monthly quota exhausted.' : 'Rate limit exceeded.';
    return new ServiceError('rate_limit_exceeded', `${what} Resets on ${resetsAt}`, options);
  }
  const { unit, window, amount } = by;
  const scope = by.keyId === null ? 'organization' : 'key';
  if (units[unit] > amount) {
    return new ServiceError(
      'invalid_request',
      `The request has ${units[unit].toLocaleString('en-US')} ${unit}, but this ${scope} may use at most ${amount.toLocaleString('en-US')} per ${window}`,
      { param: 'input' },
    );
  }
  return new ServiceError(
    'rate_limit_exceeded',
    `${unitNames[unit]} limit per ${window} exceeded for this ${scope}. Resets on ${resetsAt}`,
    options,
  );
}

const unitNames: Readonly<Record<LimitUnit, string>> = {
  requests: 'Request',
  texts: 'Text',
  tokens: 'Token',
};
