import { type Static, Type } from 'typebox';
import {
  type Alert as AlertRecord,
  type AlertSettings as AlertSettingsRecord,
  alertList,
  alertStatuses,
} from '../alerts/alert.ts';
import { isoTime } from '../lib/clock.ts';
import { maxPageLimit } from '../lib/page.ts';
import type { Principal } from '../organizations/access.ts';
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
  Text,
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
      ['threshold', 'projection', 'key_expiry'],
      '`threshold`: usage reached this percentage of the quota or of a limit. `projection`: at the rate of the last ' +
        'days, the quota will run out before its reset. `key_expiry`: a key expires in 14 days or less.',
    ),
    threshold: Nullable(Whole('Percent. Null for the other kinds.', { minimum: 1, maximum: 100 })),
    limit_id: Nullable(Id('The limit. Null: the alert is about the quota or about the end of a key.')),
    key_id: Nullable(Id('The key that the limit belongs to, or that expires.')),
    user_id: Nullable(Text('The user that the limit belongs to.')),
    name: Nullable(
      Text(
        'The name of the key, the email address of the member, or the user’s id when the alert was raised. An API key gets ' +
          'no address.',
      ),
    ),
    window: Nullable(
      Choice(windowKinds, 'The calendar window, in UTC. Null, as the next three, for `key_expiry`.'),
    ),
    window_start: Nullable(Timestamp),
    is_current: Flag('Whether the window is still running, or the key has not ended.'),
    limit: Nullable(Count('The limit when the alert was raised.')),
    used: Nullable(Count('The units counted when the alert was raised.')),
    exhausts_at: Nullable(time('When the quota was expected to run out. Null for the other kinds.')),
    expires_at: Nullable(time('When the key ends. Null for the other kinds.')),
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

/** A key may not see members, so it gets no address of one. */
export function alertView(alert: AlertRecord, isCurrent: boolean, reader: Principal['kind']): Alert {
  return view({
    ...alert,
    name: alert.userId !== null && reader === 'key' ? null : alert.name,
    threshold: alert.kind === 'threshold' ? alert.threshold : null,
    windowStart: alert.windowStartMs === null ? null : isoTime(alert.windowStartMs),
    isCurrent,
    exhaustsAt: alert.exhaustsAtMs,
    expiresAt: alert.expiresAtMs,
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

export const AcknowledgeAlertsRequest = Type.Object(
  { alert_ids: Type.Array(Id(), { minItems: 1, maxItems: maxPageLimit }) },
  { title: 'AlertIds', examples: [{ alert_ids: ['01a19671-c1c0-7453-bb19-492ba816cd71'] }] },
);

const Percentages = (description: string) =>
  Type.Array(Type.Integer({ minimum: 1, maximum: 100 }), { maxItems: 10, description });

const settings = {
  thresholds: Percentages('Percentages of the quota. An empty list: no alerts of thresholds.'),
  limit_thresholds: Percentages(
    'Percentages of the limits per day and per month of the organization, its keys and its members.',
  ),
  key_expiry: Flag('Whether to send an alert 14 days before a key expires.'),
  projection: Flag('Whether to send an alert when the quota is expected to run out before its reset.'),
};

export const AlertSettingsRequest = Type.Object(
  {
    thresholds: Type.Optional(settings.thresholds),
    limit_thresholds: Type.Optional(settings.limit_thresholds),
    key_expiry: Type.Optional(settings.key_expiry),
    projection: Type.Optional(settings.projection),
  },
  {
    title: 'AlertSettingsChanges',
    description: 'Fields that are left out keep their values.',
    examples: [{ thresholds: [50, 80, 90, 100], limit_thresholds: [90], key_expiry: true, projection: true }],
  },
);

export const AlertSettingsResponse = Type.Object(
  {
    ...settings,
    tier_thresholds: Percentages('Percentages of the quota at which the tier raises alerts too.'),
  },
  response('AlertSettings', 'The organization’s alert settings.'),
);

export function alertSettingsView(of: AlertSettingsRecord): Static<typeof AlertSettingsResponse> {
  return {
    thresholds: [...of.thresholds],
    limit_thresholds: [...of.limitThresholds],
    key_expiry: of.keyExpiry,
    projection: of.projection,
    tier_thresholds: [...of.tierThresholds],
  };
}
