import { invalidField, ServiceError } from '../errors.ts';
import { isoSeconds } from '../lib/clock.ts';
import type { Standing } from './decide.ts';
import type { LimitScope, LimitStanding, LimitUnit, Units } from './limit.ts';

/** The error of a request that the quota or a limit refuses. */
export class Exceeded extends ServiceError {
  readonly by: Standing | LimitStanding;

  constructor(message: string, by: Standing | LimitStanding, nowMs: number) {
    super('rate_limit_exceeded', `${message} Resets on ${isoSeconds(by.resetsAtMs)}`, {
      retryAfterSeconds: Math.max(1, Math.ceil((by.resetsAtMs - nowMs) / 1_000)),
      exceeded: {
        unit: by.unit,
        window: by.window,
        isOfSender: 'limitId' in by && holderOf(by) !== 'organization',
      },
    });
    this.by = by;
  }
}

/** Returns the error of a request that `by` refuses. `units` are the request's. */
export function exceeded(by: Standing | LimitStanding, units: Units, nowMs: number): ServiceError {
  const { unit, window } = by;
  const amount = 'limitId' in by ? by.amount : by.limit!;
  const scope = 'limitId' in by ? holderOf(by) : 'organization';
  // A limit of 0 refuses every request as one that is used up does.
  if (units[unit] > amount && amount > 0) {
    return invalidField(
      'input',
      `The request has ${units[unit].toLocaleString('en-US')} ${unit}, but this ${scope} may use at most ` +
        `${amount.toLocaleString('en-US')} per ${window}`,
    );
  }
  if ('limitId' in by)
    return new Exceeded(`${unitNames[unit]} limit per ${window} exceeded for this ${scope}.`, by, nowMs);
  const what = window === 'month' ? 'Monthly quota exhausted' : 'Rate limit exceeded';
  const left = Math.max(0, amount - by.used);
  return new Exceeded(
    left === 0
      ? `${what}.`
      : `${what}: the request has ${units[unit].toLocaleString('en-US')} ${unit}, and ` +
          `${left.toLocaleString('en-US')} are left.`,
    by,
    nowMs,
  );
}

/** Returns whose limit it is, as errors and headers name them. */
export function holderOf({ keyId, userId }: LimitScope): 'key' | 'member' | 'organization' {
  if (keyId !== null) return 'key';
  return userId === null ? 'organization' : 'member';
}

const unitNames: Readonly<Record<LimitUnit, string>> = {
  requests: 'Request',
  texts: 'Text',
  tokens: 'Token',
};
