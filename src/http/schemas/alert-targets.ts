import { type Static, Type } from 'typebox';
import { Nullable, Timestamp } from './common.ts';

const TargetKind = Type.Enum(['email', 'webhook'], { type: 'string' });

const targetFields = {
  target_id: Type.String(),
  org_id: Type.String(),
  kind: TargetKind,
  address: Type.String({ description: 'An e-mail address, or a URL.' }),
  created_by: Type.String({ description: 'The user’s id.' }),
  created_at: Timestamp,
};
const exampleTarget = {
  target_id: 'target_4d5e6f708192a3b4c5d6e7f8',
  org_id: 'org_5f3a2c9d8e7b6a1f0c4d2e98',
  kind: 'webhook',
  address: 'https://example.com/hooks/embedgate',
  created_by: 'user_0a1b2c3d4e5f60718293a4b5',
  created_at: '2026-11-01T09:30:00.000Z',
};

export const AlertTargetListResponse = Type.Object(
  { object: Type.Literal('list'), data: Type.Array(Type.Object(targetFields, { title: 'AlertTarget' })) },
  {
    title: 'AlertTargetList',
    'x-response-description': 'All, oldest first.',
    examples: [{ object: 'list', data: [exampleTarget] }],
  },
);

export const CreateAlertTargetRequest = Type.Object(
  {
    kind: TargetKind,
    address: Type.String({
      maxLength: 2_000,
      description: 'An e-mail address, or an http or https URL.',
    }),
  },
  {
    title: 'CreateAlertTargetRequest',
    examples: [
      { kind: 'webhook', address: 'https://example.com/hooks/embedgate' },
      { kind: 'email', address: 'ada@example.com' },
    ],
  },
);

export const CreatedAlertTargetResponse = Type.Object(
  {
    ...targetFields,
    secret: Nullable(
      Type.String({
        description:
          'What a webhook’s signatures are verified with, `whsec_` and base64. Shown this once. null: not a webhook.',
      }),
    ),
  },
  {
    title: 'CreatedAlertTarget',
    'x-response-description': 'The target, with its secret.',
    examples: [{ ...exampleTarget, secret: 'whsec_…' }],
  },
);

const NoticeType = Type.Enum(['quota.threshold_reached', 'quota.exhaustion_projected', 'test'], {
  type: 'string',
});

const Notice = Type.Object(
  {
    type: NoticeType,
    timestamp: Timestamp,
    data: Type.Object(
      {
        org_id: Type.String(),
        alert_id: Type.Optional(Type.String()),
        limit: Type.Optional(Type.Integer({ description: 'As it was when the alert was raised.' })),
        used: Type.Optional(Type.Integer({ description: 'The same.' })),
        window: Type.Optional(Type.String()),
        window_start: Type.Optional(Timestamp),
        resets_at: Type.Optional(Timestamp),
        threshold: Type.Optional(Type.Integer({ description: 'Percent; of a threshold alone.' })),
        exhausts_at: Type.Optional(
          Type.String({ format: 'date-time', description: 'Of a projection alone.' }),
        ),
        message: Type.Optional(Type.String({ description: 'Of a test alone.' })),
      },
      { description: 'More fields may come.' },
    ),
  },
  { title: 'Notice', description: 'What is sent: the body of a webhook.' },
);

const deliveryFields = {
  delivery_id: Type.String(),
  message_id: Type.String({
    description: 'The `webhook-id` of the message: the same however often it is sent.',
  }),
  target_id: Type.String(),
  alert_id: Nullable(Type.String({ description: 'null: a test.' })),
  type: NoticeType,
  status: Type.Enum(['pending', 'delivered', 'failed'], {
    type: 'string',
    description: '`pending`: not sent yet, or to be tried again. `failed`: given up.',
  }),
  attempts: Type.Integer({ minimum: 0 }),
  next_attempt_at: Nullable(Type.String({ format: 'date-time', description: 'null: there will be none.' })),
  last_attempt_at: Nullable(Timestamp),
  last_outcome: Nullable(
    Type.String({ description: 'What the last attempt came to, in words, such as `Status 200`.' }),
  ),
  created_at: Timestamp,
  message: Notice,
};
const exampleDelivery = {
  delivery_id: 'delivery_5e6f708192a3b4c5d6e7f809',
  message_id: 'msg_6f708192a3b4c5d6e7f8091a',
  target_id: 'target_4d5e6f708192a3b4c5d6e7f8',
  alert_id: 'alert_3c4d5e6f708192a3b4c5d6e7',
  type: 'quota.threshold_reached',
  status: 'delivered',
  attempts: 1,
  next_attempt_at: null,
  last_attempt_at: '2026-11-19T16:20:01.000Z',
  last_outcome: 'Status 200',
  created_at: '2026-11-19T16:20:00.000Z',
  message: {
    type: 'quota.threshold_reached',
    timestamp: '2026-11-19T16:20:00.000Z',
    data: {
      alert_id: 'alert_3c4d5e6f708192a3b4c5d6e7',
      org_id: 'org_5f3a2c9d8e7b6a1f0c4d2e98',
      limit: 10_000,
      used: 8_000,
      window: 'month',
      window_start: '2026-11-01T00:00:00.000Z',
      resets_at: '2026-12-01T00:00:00.000Z',
      threshold: 80,
    },
  },
};

export const AlertDeliveryResponse = Type.Object(deliveryFields, {
  title: 'AlertDelivery',
  'x-response-description': 'To be sent at once; the list of deliveries tells how that went.',
  examples: [
    {
      ...exampleDelivery,
      ...{ status: 'pending', attempts: 0, next_attempt_at: '2026-11-19T16:20:00.000Z' },
      ...{ last_attempt_at: null, last_outcome: null },
    },
  ],
});

export const DeliveryQuery = Type.Object({
  target_id: Type.Optional(Type.String({ description: 'To this target alone.' })),
});
export type DeliveryQuery = Static<typeof DeliveryQuery>;

export const AlertDeliveryListResponse = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(Type.Object(deliveryFields, { title: 'AlertDelivery' })),
  },
  {
    title: 'AlertDeliveryList',
    'x-response-description':
      'The newest 200, newest first. Kept are an organization’s newest 1,000, for 90 days.',
    examples: [{ object: 'list', data: [exampleDelivery] }],
  },
);
