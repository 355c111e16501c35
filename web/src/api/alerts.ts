import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { serviceTime } from '../lib/service-time.ts';
import { call, rowsOf } from './client.ts';
import { keyOf } from './organizations.ts';
import { mostRows, pagesOf, refreshAfter, refreshMs } from './pages.ts';
import type { components } from './schema.ts';

export type Alert = components['schemas']['Alert'];
export type AlertSettings = components['schemas']['AlertSettings'];
export type AlertTarget = components['schemas']['AlertTarget'];
export type AlertDelivery = components['schemas']['AlertDelivery'];

/** Polls faster while something is being sent, so that the result appears soon. */
const refreshSoonMs = 2_000;
const soonMs = 10_000;

export const allAlertsOf = (org_id: string) => keyOf(org_id, 'alerts');

export const alertsQuery = (org_id: string) =>
  pagesOf([...allAlertsOf(org_id), 'pages'], (page) =>
    call('get', '/v1/organizations/{org_id}/alerts', { org_id, ...page }),
  );

/** The newest alerts that nobody has acknowledged: more than the current windows can have. */
export const openAlertsQuery = (org_id: string) =>
  queryOptions({
    queryKey: [...allAlertsOf(org_id), 'open'],
    queryFn: () =>
      rowsOf(call('get', '/v1/organizations/{org_id}/alerts', { org_id, status: 'open', limit: mostRows })),
    refetchInterval: refreshMs,
  });

export const acknowledgeAlert = (org_id: string, alert_id: string) =>
  call('post', '/v1/organizations/{org_id}/alerts/{alert_id}/acknowledge', { org_id, alert_id });

export const acknowledgeAlerts = (org_id: string, alert_ids: string[]) =>
  call('post', '/v1/organizations/{org_id}/alerts/acknowledge', { org_id }, { alert_ids });

export const alertSettingsQuery = (org_id: string) =>
  queryOptions({
    queryKey: keyOf(org_id, 'alert-settings'),
    queryFn: () => loadAlertSettings(org_id),
  });

const loadAlertSettings = (org_id: string) =>
  call('get', '/v1/organizations/{org_id}/alerts/settings', { org_id });

/** A change of the settings, whatever they are when it is made. */
export type AlertSettingsEdit = (settings: AlertSettings) => Partial<AlertSettings>;

/** Changes what `edit` returns, of the settings that the service has now: others may have changed them too. */
export const editAlertSettings = async (org_id: string, edit: AlertSettingsEdit) =>
  call(
    'put',
    '/v1/organizations/{org_id}/alerts/settings',
    { org_id },
    edit(await loadAlertSettings(org_id)),
  );

export const alertTargetsQuery = (org_id: string) =>
  queryOptions({
    queryKey: keyOf(org_id, 'alert-targets'),
    queryFn: () =>
      rowsOf(call('get', '/v1/organizations/{org_id}/alerts/targets', { org_id, limit: mostRows })),
    refetchInterval: refreshMs,
  });

export const createAlertTarget = (org_id: string, target: components['schemas']['NewAlertTarget']) =>
  call('post', '/v1/organizations/{org_id}/alerts/targets', { org_id }, target);

export const deleteAlertTarget = (org_id: string, target_id: string) =>
  call('delete', '/v1/organizations/{org_id}/alerts/targets/{target_id}', { org_id, target_id });

export const testAlertTarget = (org_id: string, target_id: string) =>
  call('post', '/v1/organizations/{org_id}/alerts/targets/{target_id}/test', { org_id, target_id });

/** Mails the link that confirms the address again. */
export const mailConfirmation = (org_id: string, target_id: string) =>
  call('post', '/v1/organizations/{org_id}/alerts/targets/{target_id}/confirmation', { org_id, target_id });

export const confirmAlertTarget = (token: string) => call('post', '/v1/alert-targets/confirm', {}, { token });

/** Reports whether a delivery is being sent, or will be within `withinMs`. */
export function isDue({ status, next_attempt_at }: AlertDelivery, withinMs = 0): boolean {
  return status === 'pending' && Date.parse(next_attempt_at ?? '') - serviceTime() <= withinMs;
}

export type DeliveryStatus = AlertDelivery['status'];

export const allDeliveriesOf = (org_id: string) => keyOf(org_id, 'alert-deliveries');

export const deliveriesQuery = (
  org_id: string,
  filter: { readonly status?: DeliveryStatus | undefined; readonly delivery_id?: string | undefined },
) =>
  infiniteQueryOptions({
    ...pagesOf([...allDeliveriesOf(org_id), filter], (page) =>
      call('get', '/v1/organizations/{org_id}/alerts/deliveries', { org_id, ...filter, ...page }),
    ),
    refetchInterval: ({ state }) =>
      refreshAfter(
        state,
        state.data?.pages.some(({ data }) => data.some((delivery) => isDue(delivery, soonMs)))
          ? refreshSoonMs
          : refreshMs,
      ),
  });

export const resendDelivery = (org_id: string, delivery_id: string) =>
  call('post', '/v1/organizations/{org_id}/alerts/deliveries/{delivery_id}/resend', { org_id, delivery_id });
