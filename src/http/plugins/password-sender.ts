import { networkOf } from '../../lib/network-of.ts';
import { withSender } from '../../users/passwords.ts';
import type { App } from '../app-types.ts';

/** Lets the passwords of this scope's requests take turns by the network that they come from. */
export function passwordSender(app: App): void {
  app.addHook('preHandler', (request, _reply, done) =>
    withSender({ network: networkOf(request.ip), isKnown: false }, done),
  );
}
