import { once } from 'node:events';
import { Server } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Load } from '../../load/load.ts';
import type { App } from '../app-types.ts';

const sweepEveryMs = 50;
/** A proxy may have connected just before, and may be about to send. */
const lastRequestsMs = 500;

/**
 * At a shutdown, requests under way are answered, but a connection that is kept alive after its answer would keep the
 * server open until its client goes: such connections are closed as they become idle. After a time of draining, connections
 * that are new have a moment to send their request first.
 */
export function drainConnections(app: App, load: Load): void {
  let sweep: NodeJS.Timeout | undefined;
  let closed: Promise<unknown> = Promise.resolve();
  app.addHook('preClose', async () => {
    if (load.isDraining && app.server.listening) {
      closed = once(app.server, 'close');
      // Not the method of HTTP's own server, which ends connections without a request at once.
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
