import { Type } from 'typebox';
import { isCurrent } from '../../alerts/alert.ts';
import {
  AcknowledgeAlertsRequest,
  AlertListResponse,
  AlertQuery,
  AlertResponse,
  AlertSettingsRequest,
  AlertSettingsResponse,
  alertSettingsView,
  alertView,
} from '../../api/alert.ts';
import { Id, NoContent, OrgParams, pageView } from '../../api/common.ts';
import { notFound } from '../../errors.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { senderOf } from '../audience.ts';
import { described } from '../described.ts';
import { principalOn } from '../plugins/identify.ts';

const path = '/v1/organizations/:org_id/alerts';
const AlertParams = Type.Object({ ...OrgParams.properties, alert_id: Id() });

export function alertRoutes(app: App, { alerting: { alerts, watch }, clock }: Services): void {
  app.get(
    path,
    described('alerts.read', 'listAlerts', 'List the alerts of an organization', {
      querystring: AlertQuery,
      description:
        'Each alert is raised once per window: once a month, or once a day for a daily limit. Shorter windows ' +
        'raise no alerts. That a key is about to expire is raised once for each end.',
      params: OrgParams,
      response: { 200: AlertListResponse },
    }),
    async (request) => {
      const page = await alerts.list(request.params.org_id, request.query);
      const { kind } = principalOn(request);
      return pageView(page, (alert) => alertView(alert, isCurrent(alert, clock.now()), kind));
    },
  );

  app.post(
    `${path}/:alert_id/acknowledge`,
    described('alerts.acknowledge', 'acknowledgeAlert', 'Acknowledge an alert', {
      description:
        'Acknowledges the alert for everyone in the organization. `acknowledged_by` stays the first person who ' +
        'acknowledged it.',
      params: AlertParams,
      response: { 200: AlertResponse },
    }),
    async (request) => {
      const { org_id, alert_id } = request.params;
      const [alert] = await alerts.acknowledge(org_id, [alert_id], senderOf(request).senderId);
      if (!alert) throw notFound('No such alert');
      return alertView(alert, isCurrent(alert, clock.now()), principalOn(request).kind);
    },
  );

  app.post(
    `${path}/acknowledge`,
    described('alerts.acknowledge', 'acknowledgeAlerts', 'Acknowledge several alerts', {
      description: 'Acknowledges the alerts for everyone in the organization. Ignores ids of other alerts.',
      params: OrgParams,
      body: AcknowledgeAlertsRequest,
      response: { 204: NoContent },
    }),
    async (request) => {
      await alerts.acknowledge(request.params.org_id, request.body.alert_ids, senderOf(request).senderId);
    },
  );

  app.get(
    `${path}/settings`,
    described('alerts.read', 'getAlertSettings', 'Get the alert settings', {
      params: OrgParams,
      response: { 200: AlertSettingsResponse },
    }),
    async (request) => alertSettingsView(await alerts.settings(request.params.org_id)),
  );

  app.put(
    `${path}/settings`,
    described('alerts.change', 'setAlertSettings', 'Change the alert settings', {
      description:
        'If usage is already above a new threshold, its alert is raised at once. Existing alerts do not change.',
      params: OrgParams,
      body: AlertSettingsRequest,
      response: { 200: AlertSettingsResponse },
    }),
    async (request) => {
      const { org_id: orgId } = request.params;
      const { limit_thresholds: limitThresholds, key_expiry: keyExpiry, ...others } = request.body;
      const settings = await alerts.setSettings(orgId, {
        ...others,
        ...(limitThresholds && { limitThresholds }),
        ...(keyExpiry !== undefined && { keyExpiry }),
      });
      watch.check(orgId, clock.now());
      return alertSettingsView(settings);
    },
  );
}
