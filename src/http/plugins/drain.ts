import type { App } from '../app-types.ts';

const sweepEveryMs = 50;

/**
 * At a shutdown, requests under way are answered, but a connection that is kept alive after its answer would keep the
 * server open until its client goes: such connections are closed as they become idle.
 */
export function drainConnections(app: App): void {
  let sweep: NodeJS.Timeout | undefined;
  app.addHook('preClose', (done) => {
    sweep = setInterval(() => app.server.closeIdleConnections(), sweepEveryMs);
    done();
  });
  app.addHook('onClose', (_instance, done) => {
    clearInterval(sweep);
    done();
  });
}
