import { once } from 'node:events';
import { Server } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Load } from '../../load/load.ts';
import type { App } from '../app-types.ts';

const sweepEveryMs = 50;
/** How long a proxy that has just connected has to send its request. */
const lastRequestsMs = 500;

/**
 * Ends connections as they become idle during a shutdown. A connection that is kept alive would otherwise keep the
 * server open until its client leaves. After draining, new connections have a moment to send their request first.
 */
export function drainConnections(app: App, load: Load): void {
  let sweep: NodeJS.Timeout | undefined;
  let closed: Promise<unknown> = Promise.resolve();
  app.addHook('preClose', async () => {
    if (load.isDraining && app.server.listening) {
      closed = once(app.server, 'close');
      // The method of HTTP's server would end connections without a request immediately.
      Server.prototype.close.call(app.server);
      await setTimeout(lastRequestsMs);
    }
    sweep = setInterval(() => app.server.closeIdleConnections(), sweepEveryMs);
  });
  app.addHook('onClose', async () => {
    await closed;
    clearInterval(sweep);
  });
}
