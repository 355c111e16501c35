import { queryOptions } from '@tanstack/react-query';
import { call, rowsOf } from './client.ts';
import { keyOf } from './organizations.ts';
import { mostRows, pagesOf, refreshMs } from './pages.ts';
import type { components } from './schema.ts';

export type Alert = components['schemas']['Alert'];
export type AlertSettings = components['schemas']['AlertSettings'];

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
