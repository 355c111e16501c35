import { ServiceError } from '../errors.ts';
import { holderOf } from './exceeded.ts';
import type { LimitStanding, Units } from './limit.ts';

/** A window starts with room for this much time at an even pace. */
const minElapsedMs = 500;

/** Reports whether a line of a batch keeps a window's use to an even pace. It can always be the first in a window. */
export function isEven(limit: LimitStanding, units: Units, nowMs: number): boolean {
  return limit.used === 0 || evenMs(limit, units) <= Math.max(nowMs, limit.startMs + minElapsedMs);
}

/** Returns when an even pace would have used the units too. */
function evenMs({ unit, amount, used, startMs, resetsAtMs }: LimitStanding, units: Units): number {
  return startMs + ((resetsAtMs - startMs) * (used + units[unit])) / amount;
}

/** The error of a line that has to leave room for requests. */
export function leavesRoom(limit: LimitStanding, units: Units, nowMs: number): ServiceError {
  const { unit, window, amount, resetsAtMs } = limit;
  const waitMs = Math.min(evenMs(limit, units), resetsAtMs) - nowMs;
  const message = `The limit of ${amount.toLocaleString('en-US')} ${unit} per ${window} leaves room for requests.`;
  return new ServiceError('rate_limit_exceeded', message, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
    exceeded: { unit, window, isOfSender: holderOf(limit) !== 'organization' },
  });
}
