import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { AtATime } from '../../lib/at-a-time.ts';

/** Only some of the threads in Node's pool. Passwords and files need the others. */
const maxAtATime = 2;
/** Larger than the number of notices sent at a time. */
const maxWaiting = 64;

/**
 * Returns a lookup that runs two at a time. A lookup occupies a thread for as long as the system's resolver waits,
 * which may be many seconds, and can't be cancelled. Without a limit, webhooks to names on a slow server would hold up
 * sign-ins and files.
 */
export function lookupInTurn(resolve: LookupFunction = lookup): LookupFunction {
  const lookups = new AtATime(maxAtATime, maxWaiting);
  return (hostname, options, callback) => {
    type Found = Parameters<typeof callback>;
    const look = () => new Promise<Found>((done) => resolve(hostname, options, (...found) => done(found)));
    lookups.run(look).then(
      (found) => callback(...found),
      (reason) => callback(reason, '', 0),
    );
  };
}
