import { Type } from 'typebox';
import { windowKinds } from '../../quota/window.ts';
import { Id, Nullable, Timestamp } from './common.ts';

const alertFields = {
  alert_id: Id(),
  org_id: Id(),
  kind: Type.Enum(['threshold', 'projection'], {
    type: 'string',
    description:
      '`threshold`: that much of the quota was used. `projection`: at the pace of the last days it ends before its reset.',
  }),
  threshold: Nullable(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Percent; null: a projection.' }),
  ),
  window: Type.Enum([...windowKinds], { type: 'string', description: 'The calendar window, in UTC.' }),
  window_start: Timestamp,
  is_current: Type.Boolean({ description: 'Whether that window has not passed.' }),
  limit: Type.Integer({ minimum: 0, description: 'As it was when the alert was raised.' }),
  used: Type.Integer({ minimum: 0, description: 'The same.' }),
  exhausts_at: Nullable(
    Type.String({
      format: 'date-time',
      description: 'When the quota was projected to end; null: a threshold.',
    }),
  ),
  raised_at: Timestamp,
  acknowledged_at: Nullable(Timestamp),
  acknowledged_by: Nullable(Id('The identifier of the user or the key.')),
};

const exampleAlert = {
  alert_id: '01a1f49b-9780-755f-8c8f-839868989e4e',
  org_id: '01a19671-c1c0-7453-bb19-492ba816cd71',
  kind: 'threshold',
  threshold: 80,
  window: 'month',
  window_start: '2026-11-01T00:00:00.000Z',
  is_current: true,
  limit: 10_000,
  used: 8_000,
  exhausts_at: null,
  raised_at: '2026-11-19T16:20:00.000Z',
  acknowledged_at: null,
  acknowledged_by: null,
};

export const AlertListResponse = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(Type.Object(alertFields, { title: 'Alert' })),
  },
  {
    title: 'AlertList',
    'x-response-description': 'The newest 200, newest first, the acknowledged ones as well.',
    examples: [{ object: 'list', data: [exampleAlert] }],
  },
);

export const AlertResponse = Type.Object(alertFields, {
  title: 'Alert',
  'x-response-description': 'The alert as it is now.',
  examples: [
    {
      ...exampleAlert,
      acknowledged_at: '2026-11-19T16:30:00.000Z',
      acknowledged_by: '01a19671-bdd8-7439-9c26-0d844f0260bb',
    },
  ],
});

const settingsFields = {
  thresholds: Type.Array(Type.Integer({ minimum: 1, maximum: 100 }), {
    maxItems: 10,
    description: 'Percents of the limit; none: no alert of this kind.',
  }),
  projection: Type.Boolean({ description: 'Whether to tell that the quota will end before its reset.' }),
};
const exampleSettings = { thresholds: [50, 80, 90, 100], projection: true };

export const AlertSettingsRequest = Type.Object(settingsFields, {
  title: 'AlertSettings',
  examples: [exampleSettings],
});

export const AlertSettingsResponse = Type.Object(settingsFields, {
  title: 'AlertSettings',
  'x-response-description': 'What the organization is told of.',
  examples: [exampleSettings],
});
