import { type Static, Type } from 'typebox';
import {
  type Alert as AlertRecord,
  type AlertSettings as AlertSettingsRecord,
  alertList,
  alertStatuses,
} from '../alerts/alert.ts';
import { isoTime } from '../lib/clock.ts';
import { windowKinds } from '../quota/window.ts';
import {
  Choice,
  Count,
  Flag,
  Id,
  Nullable,
  PageQuery,
  PageResponse,
  response,
  Timestamp,
  time,
  Whole,
} from './common.ts';
import { viewOf } from './view.ts';

const Alert = Type.Object(
  {
    alert_id: Id(),
    org_id: Id(),
    kind: Choice(
      ['threshold', 'projection'],
      '`threshold`: usage reached this percentage of the quota. `projection`: at the rate of the last days, ' +
        'the quota will run out before its reset.',
    ),
    threshold: Nullable(Whole('Percent. Null for a projection.', { minimum: 1, maximum: 100 })),
    window: Choice(windowKinds, 'The calendar window, in UTC.'),
    window_start: Timestamp,
    is_current: Flag('Whether the window is still running.'),
    limit: Count('The limit when the alert was raised.'),
    used: Count('The units counted when the alert was raised.'),
    exhausts_at: Nullable(time('When the quota was expected to run out. Null for a threshold.')),
    raised_at: Timestamp,
    acknowledged_at: Nullable(
      time('When someone acknowledged it, or a higher threshold of the same window was reached.'),
    ),
    acknowledged_by: Nullable(
      Id('The id of the user or the key. Null: nobody, as after a higher threshold.'),
    ),
  },
  { title: 'Alert' },
);
type Alert = Static<typeof Alert>;

const view = viewOf(Alert);

export function alertView(alert: AlertRecord, isCurrent: boolean): Alert {
  return view({
    ...alert,
    threshold: alert.kind === 'threshold' ? alert.threshold : null,
    windowStart: isoTime(alert.windowStartMs),
    isCurrent,
    exhaustsAt: alert.exhaustsAtMs,
    raisedAt: alert.raisedAtMs,
    acknowledgedAt: alert.acknowledgedAtMs,
  });
}

export const AlertListResponse = PageResponse(
  'AlertList',
  Alert,
  'A page of the alerts, by default newest first.',
);

export const AlertQuery = PageQuery(alertList, {
  status: Type.Optional(
    Choice(
      alertStatuses,
      '`open`: lists only the alerts that nobody has acknowledged. `acknowledged`: only the others.',
    ),
  ),
});

export const AlertResponse = Type.Object(Alert.properties, response('Alert', 'The acknowledged alert.'));

const settings = {
  thresholds: Type.Array(Type.Integer({ minimum: 1, maximum: 100 }), {
    maxItems: 10,
    description: 'Percentages of the limit. An empty list: no threshold alerts.',
  }),
  projection: Flag('Whether to send an alert when the quota is expected to run out before its reset.'),
};
const exampleSettings = { thresholds: [50, 80, 90, 100], projection: true };

export const AlertSettingsRequest = Type.Object(settings, {
  title: 'AlertSettings',
  examples: [exampleSettings],
});

export const AlertSettingsResponse = Type.Object(
  settings,
  response('AlertSettings', 'The organization’s alert settings.'),
);

export function alertSettingsView({
  thresholds,
  projection,
}: AlertSettingsRecord): Static<typeof AlertSettingsResponse> {
  return { thresholds: [...thresholds], projection };
}
