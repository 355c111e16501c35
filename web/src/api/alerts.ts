import { queryOptions } from '@tanstack/react-query';
import { answered, api } from './client.ts';
import { inOrganization, keyOf } from './organizations.ts';
import { mostRows, pagesOf, refreshMs } from './pages.ts';
import type { components } from './schema.ts';

export type Alert = components['schemas']['Alert'];
export type AlertSettings = components['schemas']['AlertSettings'];
export type AlertTarget = components['schemas']['AlertTarget'];
export type NewAlertTarget = components['schemas']['CreateAlertTargetRequest'];
export type CreatedAlertTarget = components['schemas']['CreatedAlertTarget'];
export type AlertDelivery = components['schemas']['AlertDelivery'];

/** Polls faster while something is being sent, so that the result appears soon. */
const refreshSoonMs = 1_500;
const soonMs = 10_000;

export const allAlertsOf = (orgId: string) => ({ queryKey: keyOf(orgId, 'alerts') });

export const alertsQuery = (orgId: string) =>
  pagesOf([...allAlertsOf(orgId).queryKey, 'pages'], (query) =>
    answered(api.GET('/v1/organizations/{org_id}/alerts', { params: { ...inOrganization(orgId), query } })),
  );

/** The newest alerts that nobody has acknowledged: more than the current windows can have. */
export const openAlertsQuery = (orgId: string) =>
  queryOptions({
    queryKey: [...allAlertsOf(orgId).queryKey, 'open'],
    queryFn: async () =>
      (
        await answered(
          api.GET('/v1/organizations/{org_id}/alerts', {
            params: { ...inOrganization(orgId), query: { status: 'open', limit: mostRows } },
          }),
        )
      ).data,
    refetchInterval: refreshMs,
  });

export const acknowledgeAlert = (orgId: string, alertId: string) =>
  answered(
    api.POST('/v1/organizations/{org_id}/alerts/{alert_id}/acknowledge', {
      params: { path: { org_id: orgId, alert_id: alertId } },
    }),
  );

export const alertSettingsQuery = (orgId: string) =>
  queryOptions({
    queryKey: keyOf(orgId, 'alert-settings'),
    queryFn: () =>
      answered(api.GET('/v1/organizations/{org_id}/alerts/settings', { params: inOrganization(orgId) })),
  });

export const setAlertSettings = (orgId: string, settings: AlertSettings) =>
  answered(
    api.PUT('/v1/organizations/{org_id}/alerts/settings', { params: inOrganization(orgId), body: settings }),
  );

export const alertTargetsQuery = (orgId: string) =>
  queryOptions({
    queryKey: keyOf(orgId, 'alert-targets'),
    queryFn: async () =>
      (
        await answered(
          api.GET('/v1/organizations/{org_id}/alerts/targets', {
            params: { ...inOrganization(orgId), query: { limit: mostRows } },
          }),
        )
      ).data,
    refetchInterval: refreshMs,
  });

export const createAlertTarget = (orgId: string, body: NewAlertTarget) =>
  answered(api.POST('/v1/organizations/{org_id}/alerts/targets', { params: inOrganization(orgId), body }));

const ofTarget = (orgId: string, targetId: string) => ({ path: { org_id: orgId, target_id: targetId } });

export const deleteAlertTarget = (orgId: string, targetId: string) =>
  answered(
    api.DELETE('/v1/organizations/{org_id}/alerts/targets/{target_id}', {
      params: ofTarget(orgId, targetId),
    }),
  );

export const testAlertTarget = (orgId: string, targetId: string) =>
  answered(
    api.POST('/v1/organizations/{org_id}/alerts/targets/{target_id}/test', {
      params: ofTarget(orgId, targetId),
    }),
  );

/** Mails the link that confirms the address again. */
export const mailConfirmation = (orgId: string, targetId: string) =>
  answered(
    api.POST('/v1/organizations/{org_id}/alerts/targets/{target_id}/confirmation', {
      params: ofTarget(orgId, targetId),
    }),
  );

export const confirmAlertTarget = (token: string) =>
  answered(api.POST('/v1/alert-targets/confirm', { body: { token } }));

/** Reports whether a delivery is being sent, or will be within `withinMs`. */
export function isDue({ status, next_attempt_at }: AlertDelivery, withinMs = 0): boolean {
  return status === 'pending' && Date.parse(next_attempt_at ?? '') - Date.now() <= withinMs;
}

export type DeliveryStatus = AlertDelivery['status'];

export const allDeliveriesOf = (orgId: string) => ({ queryKey: keyOf(orgId, 'alert-deliveries') });

/** `status` undefined: all deliveries. */
export const deliveriesQuery = (orgId: string, status: DeliveryStatus | undefined) => ({
  ...pagesOf([...allDeliveriesOf(orgId).queryKey, status], (page) =>
    answered(
      api.GET('/v1/organizations/{org_id}/alerts/deliveries', {
        params: { ...inOrganization(orgId), query: { ...page, ...(status && { status }) } },
      }),
    ),
  ),
  refetchInterval: ({ state }: { state: { data?: { pages: { data: AlertDelivery[] }[] } | undefined } }) =>
    state.data?.pages.some(({ data }) => data.some((delivery) => isDue(delivery, soonMs)))
      ? refreshSoonMs
      : refreshMs,
});

export const resendDelivery = (orgId: string, deliveryId: string) =>
  answered(
    api.POST('/v1/organizations/{org_id}/alerts/deliveries/{delivery_id}/resend', {
      params: { path: { org_id: orgId, delivery_id: deliveryId } },
    }),
  );
