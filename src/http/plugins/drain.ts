import { once } from 'node:events';
import { Server } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Load } from '../../load/load.ts';
import type { App } from '../app-types.ts';
import type { Connections } from '../connections.ts';

const sweepEveryMs = 50;
/** How long a proxy that has just connected has to send its request. */
const lastRequestsMs = 500;

/**
 * Ends connections as they become idle during a shutdown. A connection that is kept alive would otherwise keep the
 * server open until its client leaves. After draining, new connections have a moment to send their request first.
 */
export function drainConnections(app: App, load: Load, connections: Connections): void {
  app.addHook('preClose', async () => {
    if (!app.server.listening) return;
    const closed = once(app.server, 'close');
    // Stops listening, and no more. The method of HTTP's server, which Fastify calls later, also cuts connections without
    // a request, and responses that are written but not sent yet.
    Server.prototype.close.call(app.server);
    if (load.isDraining) await setTimeout(lastRequestsMs);
    const sweep = setInterval(() => connections.endAllIdle(), sweepEveryMs);
    await closed;
    clearInterval(sweep);
  });
}
