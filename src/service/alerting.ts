import type { Logger } from 'pino';
import { lazily } from '../lib/lazily.ts';
import type { Mailer } from '../lib/mailer.ts';
import { percentUsed, type Standing } from '../quota/decide.ts';
import type { AlertingParts } from './alerting-parts.ts';
import type { Gate } from './gate.ts';

/** Alerts and notices, loaded when they are first needed: no start waits for them. */
export interface Alerting {
  open(): Promise<AlertingParts>;
  /** To be told after each flush of the ledger. */
  counted(orgId: string, standing: Standing): void;
  /** Raises and sends nothing more. Resolves when what is under way is done or broken off, within seconds. */
  close(): Promise<void>;
}

/** What others have left to be raised and sent is looked for this long after the start. */
const openAfterMs = 5_000;

export function lazyAlerting(gate: Gate, mailer: Mailer | null, log: Logger): Alerting {
  let opened: AlertingParts | undefined;
  let isClosed = false;

  const parts = lazily(async () => {
    const { openAlertingParts } = await import('./alerting-parts.ts');
    opened = openAlertingParts(gate, mailer, log);
    return opened;
  });
  const whenOpen = (use: (parts: AlertingParts) => void): void => {
    parts.get().then(use, (reason) => log.warn({ err: reason }, 'alerts can not be loaded'));
  };
  const lookForLeftOvers = ({ watch, deliverer }: AlertingParts): void => {
    watch.look();
    deliverer.kick();
  };
  const timer = setTimeout(() => whenOpen(lookForLeftOvers), openAfterMs).unref();

  return {
    open: parts.get,
    counted(orgId, standing) {
      if (isClosed || percentUsed(standing) === 0) return;
      if (opened) opened.watch.counted(orgId, standing);
      else whenOpen(({ watch }) => watch.counted(orgId, standing));
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      const open = await parts.loaded();
      await open?.watch.close();
      await open?.deliverer.close();
    },
  };
}
