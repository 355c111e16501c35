import { queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';

export interface Alert {
  readonly alert_id: string;
  /** Per cent of the quota; null: its end is foreseen. */
  readonly threshold: number | null;
  readonly message: string;
  readonly raised_at: string;
  /** Whether the window in which it was raised still lasts. */
  readonly current: boolean;
}

export interface AlertSettings {
  readonly thresholds: readonly number[];
  readonly projection: boolean;
}

export interface Target {
  readonly target_id: string;
  readonly kind: 'email' | 'webhook';
  /** An e-mail address or a URL. */
  readonly address: string;
  /** Of a webhook, only in the answer to its creation. */
  readonly secret?: string;
}

export interface Delivery {
  readonly delivery_id: string;
  readonly address: string;
  readonly subject: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly detail: string | null;
  readonly created_at: string;
}

interface List<Item> {
  readonly data: Item[];
}

const pathOf = (orgId: string, what: string): string =>
  `/v1/organizations/${encodeURIComponent(orgId)}/${what}`;
const keyOf = (orgId: string, what: string) => ['organizations', orgId, what];

export const alertsQuery = (orgId: string) =>
  queryOptions({
    queryKey: keyOf(orgId, 'alerts'),
    queryFn: async () => (await request<List<Alert>>('GET', pathOf(orgId, 'alerts'))).data,
  });

export const alertSettingsQuery = (orgId: string) =>
  queryOptions({
    queryKey: keyOf(orgId, 'alert-settings'),
    queryFn: () => request<AlertSettings>('GET', pathOf(orgId, 'alert-settings')),
  });

export const targetsQuery = (orgId: string) =>
  queryOptions({
    queryKey: keyOf(orgId, 'alert-targets'),
    queryFn: async () => (await request<List<Target>>('GET', pathOf(orgId, 'alert-targets'))).data,
  });

export const deliveriesQuery = (orgId: string) =>
  queryOptions({
    queryKey: keyOf(orgId, 'alert-deliveries'),
    queryFn: async () => (await request<List<Delivery>>('GET', pathOf(orgId, 'alert-deliveries'))).data,
  });

export const saveAlertSettings = (orgId: string, settings: AlertSettings): Promise<AlertSettings> =>
  request('PUT', pathOf(orgId, 'alert-settings'), settings);
export const addTarget = (orgId: string, kind: Target['kind'], address: string): Promise<Target> =>
  request('POST', pathOf(orgId, 'alert-targets'), { kind, address });
export const removeTarget = (orgId: string, targetId: string): Promise<void> =>
  request('DELETE', pathOf(orgId, `alert-targets/${targetId}`));
export const testTarget = (orgId: string, targetId: string): Promise<Delivery> =>
  request('POST', pathOf(orgId, `alert-targets/${targetId}/test`), {});
export const resend = (orgId: string, deliveryId: string): Promise<Delivery> =>
  request('POST', pathOf(orgId, `alert-deliveries/${deliveryId}/resend`), {});
