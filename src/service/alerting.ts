import type { Logger } from 'pino';
import { AlertWatch } from '../alerts/alert-watch.ts';
import { Alerts } from '../alerts/alerts.ts';
import { openChannelKinds } from '../alerts/channel-kinds/kinds.ts';
import { Channels } from '../alerts/channels.ts';
import { Confirmations } from '../alerts/confirmations.ts';
import { Deliverer } from '../alerts/deliverer.ts';
import { deriveSecret } from '../keys/service-secrets.ts';
import { throughAll } from '../lib/in-steps.ts';
import type { Gate } from './gate.ts';
import type { People } from './people.ts';

/** Alerts about quotas, and the notices that report them. */
export interface Alerting {
  readonly alerts: Alerts;
  readonly channels: Channels;
  readonly watch: AlertWatch;
  readonly deliverer: Deliverer;
  /**
   * Stops raising and sending. Resolves within seconds, when the work in progress has ended or was cancelled.
   */
  close(): Promise<void>;
}

/**
 * The time after the start at which the service looks for alerts and notices that others have left to be
 * raised and sent.
 */
const lookAfterMs = 5_000;
const dayMs = 86_400_000;
/** More than a year, so that a month can be compared with the same month of the year before. */
const keepAlertsMs = 400 * dayMs;
const keepDeliveriesMs = 90 * dayMs;
/** Far longer than a process keeps sending a batch of usage records whose outcome it does not know. */
const keepWritersMs = 90 * dayMs;
const maxWritersPruned = 1_000;
const keepDeliveriesPerOrganization = 1_000;

/** Starts to watch the counts of the gate. */
export function openAlerting(gate: Gate, { mailer, attempts }: People, log: Logger): Alerting {
  const { config, clock, stores, organizations } = gate;
  const warn = (what: string) => (reason: unknown) => log.warn({ err: reason }, what);
  const key = deriveSecret(config, 'webhook secrets');
  const { publicUrl, mayNotifyPrivateAddresses } = config;
  const kinds = openChannelKinds({
    ...{ mailer, clock, key, publicUrl, mayNotifyPrivateAddresses },
    nameOf: async (orgId) => (await organizations.get(orgId)).name,
  });

  const deliverer = new Deliverer({
    store: stores.deliveries,
    kinds,
    onError: warn('notices could not be sent'),
  });
  const alerts = new Alerts(stores.alerts, clock);
  const watch = new AlertWatch({
    ...{ alerts, store: stores.alerts, leases: stores.leases, usage: stores.usage },
    tiers: config.tiers,
    onRaised: () => deliverer.kick(),
    async housekeep(nowMs, signal) {
      await throughAll((after) => stores.alerts.prune(nowMs - keepAlertsMs, after), signal);
      const bounds = {
        createdBeforeMs: nowMs - keepDeliveriesMs,
        maxPerOrganization: keepDeliveriesPerOrganization,
      };
      await throughAll((after) => stores.deliveries.prune(bounds, after), signal);
      await stores.usage.pruneWriters(nowMs - keepWritersMs, maxWritersPruned);
    },
    onError: warn('alerts could not be raised'),
  });
  const channels = new Channels({
    ...{ channels: stores.channels, deliveries: stores.deliveries, clock, key, kinds },
    confirmations: new Confirmations(deriveSecret(config, 'confirmations of addresses')),
    counter: attempts,
    onDue: () => deliverer.kick(),
  });
  gate.ledger.onCounted((orgId, standing) => watch.counted(orgId, standing));
  const look = setTimeout(() => {
    watch.look();
    deliverer.kick();
  }, lookAfterMs).unref();
  return {
    ...{ alerts, channels, watch, deliverer },
    async close() {
      clearTimeout(look);
      await watch.close();
      await deliverer.close();
    },
  };
}
