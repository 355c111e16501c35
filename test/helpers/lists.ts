import { type Alert, alertList } from '../../src/alerts/alert.ts';
import { type Channel, channelList } from '../../src/alerts/channel.ts';
import { type Delivery, deliveryList } from '../../src/alerts/deliveries.ts';
import { allRows } from '../../src/lib/page.ts';
import type { Stores } from '../../src/store/stores.ts';

/** Returns an organization's alerts, newest first. */
export function alertsOf({ alerts }: Stores, orgId: string): Promise<Alert[]> {
  return allRows((query) => alerts.list(orgId, null, alertList.request(query, [orgId])));
}

/** Returns an organization's channels, oldest first. */
export function channelsOf({ channels }: Stores, orgId: string): Promise<Channel[]> {
  return allRows((query) => channels.list(orgId, channelList.request(query, [orgId])));
}

/** Returns an organization's deliveries, newest first; with `targetId`, only those to this channel. */
export function deliveriesOf(
  { deliveries }: Stores,
  orgId: string,
  targetId: string | null = null,
): Promise<Delivery[]> {
  const filter = { targetId, status: null };
  return allRows((query) => deliveries.list(orgId, filter, deliveryList.request(query, [orgId])));
}
