import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { AtATime } from '../../lib/at-a-time.ts';

/** Of the threads that Node has for this, and for passwords and files. */
const maxAtATime = 2;
/** More than are sent at a time. */
const maxWaiting = 64;

/**
 * Returns a lookup of which two run at a time. A thread waits for as long as the system's resolver does, which may be many seconds, and a
 * lookup can't be cancelled: webhooks to names of a slow server would hold up sign-ins and files.
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
