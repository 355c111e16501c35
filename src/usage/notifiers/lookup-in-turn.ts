import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Of the four threads that Node has for this, and for passwords and files. */
const maxAtATime = 2;

/**
 * Returns a lookup of which two run at a time. A thread waits for as long as the system's resolver does, which may be many seconds, and a
 * lookup can't be cancelled: webhooks to names of a slow server would hold up sign-ins and files.
 */
export function lookupInTurn(resolve: LookupFunction = lookup): LookupFunction {
  const waiting: (() => void)[] = [];
  let running = 0;
  const next = (): void => {
    if (running < maxAtATime) waiting.shift()?.();
  };
  return (hostname, options, callback) => {
    waiting.push(() => {
      running += 1;
      resolve(hostname, options, (...result) => {
        running -= 1;
        next();
        callback(...result);
      });
    });
    next();
  };
}
