import type { Logger } from 'pino';
import { AlertWatch } from '../alerts/alert-watch.ts';
import { openChannelKinds } from '../alerts/channel-kinds/kinds.ts';
import { ChannelSetup } from '../alerts/channel-setup.ts';
import { Deliverer } from '../alerts/deliverer.ts';
import { deriveSecret } from '../keys/service-secrets.ts';
import type { Chores } from '../lib/chores.ts';
import { inSteps } from '../lib/in-steps.ts';
import { SignedTokens } from '../lib/signed-tokens.ts';
import type { Core } from './core.ts';
import type { People } from './people.ts';

const dayMs = 86_400_000;
/** More than a year, so that a month can be compared with the same month of the year before. */
const keepAlertsMs = 400 * dayMs;
const keepDeliveriesMs = 90 * dayMs;
/** Far longer than a process keeps sending a batch of usage records whose outcome it does not know. */
const keepWritersMs = 90 * dayMs;
const keepDeliveriesPerOrganization = 1_000;

/** Starts to watch the counts of the core, and adds the periodic work on alerts and notices. */
export function openAlerting(core: Core, { mailer, attempts }: People, chores: Chores, log: Logger) {
  const { config, clock, stores, organizations, keys } = core;
  const warn = (what: string) => (reason: unknown) => log.warn({ err: reason }, what);
  const key = deriveSecret(config, 'webhook secrets');
  const { publicUrl, mayNotifyPrivateAddresses, webhookProxy } = config;
  const kinds = openChannelKinds({
    mailer,
    clock,
    key,
    publicUrl,
    mayNotifyPrivateAddresses,
    webhookProxy,
    nameOf: async (orgId) => (await organizations.get(orgId)).name,
  });

  const deliverer = new Deliverer({
    deliveries: stores.deliveries,
    kinds,
    onError: warn('notices could not be sent'),
  });
  const watch = new AlertWatch({
    alerts: stores.alerts,
    usage: stores.usage,
    tiers: config.tiers,
    nameOf: async (orgId, { keyId, userId }) =>
      (keyId && (await keys.find(orgId, keyId))?.name) ||
      (userId && (await stores.users.findById(userId))?.email) ||
      userId,
    onRaised: () => deliverer.kick(),
    onError: warn('alerts could not be raised'),
  });
  chores.add({
    name: 'alerts',
    // Half of the promised delay: after a crash, the lease of the replica that is gone has to expire first.
    everyMs: 30_000,
    isShared: true,
    run: ({ nowMs, signal }) => watch.sweep(nowMs, signal),
    onError: warn('alerts could not be raised'),
  });
  chores.add({
    name: 'notices',
    everyMs: 5_000,
    isShared: false,
    run: async () => deliverer.kick(),
    onError: warn('notices could not be sent'),
  });
  chores.add({
    name: 'old notices',
    everyMs: 600_000,
    isShared: false,
    run: ({ signal }) => deliverer.pruneExcess(keepDeliveriesPerOrganization, signal),
    onError: warn('old notices could not be deleted'),
  });
  chores.add({
    name: 'old alerts',
    everyMs: 600_000,
    isShared: true,
    async run({ nowMs, signal }) {
      await inSteps(() => stores.alerts.prune(nowMs - keepAlertsMs), signal);
      await inSteps(() => stores.deliveries.prune(nowMs - keepDeliveriesMs), signal);
      await inSteps(() => stores.requestLog.pruneWriters(nowMs - keepWritersMs), signal);
    },
    onError: warn('old alerts and notices could not be deleted'),
  });
  const channelSetup = new ChannelSetup({
    channels: stores.channels,
    deliveries: stores.deliveries,
    clock,
    key,
    kinds,
    confirmations: new SignedTokens(deriveSecret(config, 'confirmations of addresses')),
    counter: attempts,
    onDue: () => deliverer.kick(),
  });
  core.ledger.onCounted((...counted) => watch.counted(...counted));
  return {
    alerts: stores.alerts,
    channels: stores.channels,
    deliveries: stores.deliveries,
    channelSetup,
    watch,
    deliverer,
    /** Stops raising and sending. Resolves within seconds, when the work in progress has ended or was cancelled. */
    async close() {
      await watch.close();
      await deliverer.close();
    },
  };
}
