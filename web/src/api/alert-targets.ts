import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { serviceTime } from '../lib/service-time.ts';
import { call, rowsOf } from './client.ts';
import { keyOf } from './organizations.ts';
import { mostRows, pagesOf, refreshAfter, refreshMs } from './pages.ts';
import type { components } from './schema.ts';

export type AlertTarget = components['schemas']['AlertTarget'];
export type AlertDelivery = components['schemas']['AlertDelivery'];

/** Polls faster while something is being sent, so that the result appears soon. */
const refreshSoonMs = 2_000;
const soonMs = 10_000;

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
