import { invalidField, ServiceError } from '../errors.ts';
import { isoSeconds } from '../lib/clock.ts';
import type { Standing } from './decide.ts';
import { amountOf, type LimitScope, type LimitStanding, type LimitUnit, type Units } from './limit.ts';

/** The error of a request that the quota or a limit refuses. */
export class Exceeded extends ServiceError {
  readonly by: Standing | LimitStanding;

  constructor(message: string, by: Standing | LimitStanding, retryAfterMs: number) {
    super('rate_limit_exceeded', message, {
      retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1_000)),
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
      `The request has ${amountOf(unit, units[unit])}, but this ${scope} may use at most ` +
        `${amountOf(unit, amount, false)} per ${window}`,
    );
  }
  const refused = (what: string) =>
    new Exceeded(`${what} Resets on ${isoSeconds(by.resetsAtMs)}`, by, by.resetsAtMs - nowMs);
  if ('limitId' in by) return refused(`${unitNames[unit]} limit per ${window} exceeded for this ${scope}.`);
  const what = window === 'month' ? 'Monthly quota exhausted' : 'Rate limit exceeded';
  const left = Math.max(0, amount - by.used);
  return refused(
    left === 0
      ? `${what}.`
      : `${what}: the request has ${amountOf(unit, units[unit])}, and ${amountOf(unit, left, false)} are left.`,
  );
}

/** Returns the error of a request that a limit of requests at a time refuses. Such requests have lately taken `requestMs`. */
export function tooManyAtOnce(by: LimitStanding, requestMs: number): ServiceError {
  const most = by.amount.toLocaleString('en-US');
  const message = `This ${holderOf(by)} may have ${most} requests at a time, and has as many in progress.`;
  return new Exceeded(message, by, requestMs);
}

/** Returns whose limit it is, as errors and headers name them. */
export function holderOf({ keyId, userId }: LimitScope): 'key' | 'user' | 'organization' {
  if (keyId !== null) return 'key';
  return userId === null ? 'organization' : 'user';
}

const unitNames: Readonly<Record<LimitUnit, string>> = {
  requests: 'Request',
  texts: 'Text',
  tokens: 'Token',
  cost: 'Cost',
  requests_at_once: 'Requests at a time',
};
