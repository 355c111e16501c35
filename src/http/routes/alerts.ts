import { Type } from 'typebox';
import type { Services } from '../../service/services.ts';
import { alertView } from '../../views.ts';
import type { App } from '../app-types.ts';
import { principalOn } from '../plugins/identify.ts';
import {
  AlertListResponse,
  AlertResponse,
  AlertSettingsRequest,
  AlertSettingsResponse,
} from '../schemas/alerts.ts';
import { Id, OrgParams } from '../schemas/common.ts';

const tags = ['Alerts'];
const path = '/v1/organizations/:org_id/alerts';
const AlertParams = Type.Object({ ...OrgParams.properties, alert_id: Id() });

export function alertRoutes(app: App, { alerting: { alerts } }: Services): void {
  app.get(
    path,
    {
      config: { access: 'alerts.read' },
      schema: {
        operationId: 'listAlerts',
        summary: 'What an organization was told about its quota',
        description:
          'Each threshold is raised once a month, or once a day where the limit is a day’s. Shorter windows raise none.',
        tags,
        params: OrgParams,
        response: { 200: AlertListResponse },
      },
    },
    async (request) => {
      const found = await alerts.list(request.params.org_id);
      return {
        object: 'list' as const,
        data: found.map((alert) => alertView(alert, alerts.isCurrent(alert))),
      };
    },
  );

  app.post(
    `${path}/:alert_id/acknowledge`,
    {
      config: { access: 'alerts.acknowledge' },
      schema: {
        operationId: 'acknowledgeAlert',
        summary: 'Say that an alert has been seen',
        description:
          'Acknowledges the alert for everyone in the organization. The first person to acknowledge it stays named.',
        tags,
        params: AlertParams,
        response: { 200: AlertResponse },
      },
    },
    async (request) => {
      const { org_id, alert_id } = request.params;
      const principal = principalOn(request);
      const by = principal.kind === 'key' ? principal.keyId : principal.userId;
      const alert = await alerts.acknowledge(org_id, alert_id, by);
      return alertView(alert, alerts.isCurrent(alert));
    },
  );

  app.get(
    `${path}/settings`,
    {
      config: { access: 'alerts.read' },
      schema: {
        operationId: 'getAlertSettings',
        summary: 'What an organization is told of',
        tags,
        params: OrgParams,
        response: { 200: AlertSettingsResponse },
      },
    },
    async (request) => settingsView(await alerts.settings(request.params.org_id)),
  );

  app.put(
    `${path}/settings`,
    {
      config: { access: 'alerts.change' },
      schema: {
        operationId: 'setAlertSettings',
        summary: 'Change what an organization is told of',
        description:
          'A threshold that is reached already is raised within a minute. What was raised stays as it is.',
        tags,
        params: OrgParams,
        body: AlertSettingsRequest,
        response: { 200: AlertSettingsResponse },
      },
    },
    async (request) => {
      return settingsView(await alerts.setSettings(request.params.org_id, request.body));
    },
  );
}

function settingsView({ thresholds, projection }: { thresholds: readonly number[]; projection: boolean }) {
  return { thresholds: [...thresholds], projection };
}
