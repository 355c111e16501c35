import { invalidField, ServiceError } from '../errors.ts';
import { isoSeconds } from '../lib/clock.ts';
import type { Standing } from './decide.ts';
import type { LimitStanding, LimitUnit, Units } from './limit.ts';

/** The error of a request that the quota or a limit refuses. */
export class Exceeded extends ServiceError {
  readonly by: Standing | LimitStanding;

  constructor(message: string, by: Standing | LimitStanding, nowMs: number) {
    super('rate_limit_exceeded', `${message} Resets on ${isoSeconds(by.resetsAtMs)}`, {
      retryAfterSeconds: Math.max(1, Math.ceil((by.resetsAtMs - nowMs) / 1_000)),
      exceeded: {
        unit: 'unit' in by ? by.unit : 'requests',
        window: by.window,
        isOfKey: 'unit' in by && by.keyId !== null,
      },
    });
    this.by = by;
  }
}

/** Returns the error of a request that `by` refuses. `units` are the request's. */
export function exceeded(by: Standing | LimitStanding, units: Units, nowMs: number): ServiceError {
  if (!('unit' in by)) {
    const what = by.window === 'month' ? 'Monthly quota exhausted.' : 'Rate limit exceeded.';
    return new Exceeded(what, by, nowMs);
  }
  const { unit, window, amount } = by;
  const scope = by.keyId === null ? 'organization' : 'key';
  if (units[unit] > amount) {
    return invalidField(
      'input',
      `The request has ${units[unit].toLocaleString('en-US')} ${unit}, but this ${scope} may use at most ${amount.toLocaleString('en-US')} per ${window}`,
    );
  }
  return new Exceeded(`${unitNames[unit]} limit per ${window} exceeded for this ${scope}.`, by, nowMs);
}

const unitNames: Readonly<Record<LimitUnit, string>> = {
  requests: 'Request',
  texts: 'Text',
  tokens: 'Token',
};
