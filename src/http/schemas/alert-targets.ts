import { type Static, Type } from 'typebox';
import { Id, Nullable, Timestamp } from './common.ts';

const TargetKind = Type.Enum(['email', 'webhook'], { type: 'string' });

const targetFields = {
  target_id: Id(),
  org_id: Id(),
  kind: TargetKind,
  address: Type.String({ description: 'An e-mail address, or a URL.' }),
  created_by: Id('The user’s identifier.'),
  created_at: Timestamp,
};
const exampleTarget = {
  target_id: '01a1967a-e980-7731-aa92-077206c46de9',
  org_id: '01a19671-c1c0-7453-bb19-492ba816cd71',
  kind: 'webhook',
  address: 'https://example.com/hooks/embedgate',
  created_by: '01a19671-bdd8-7439-9c26-0d844f0260bb',
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
        org_id: Id(),
        alert_id: Type.Optional(Id()),
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
  delivery_id: Id(),
  message_id: Id('The `webhook-id` of the message: the same however often it is sent.'),
  target_id: Id(),
  alert_id: Nullable(Id('null: a test.')),
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
  delivery_id: '01a1f49b-9780-756a-aa93-83bb06130341',
  message_id: '01a1f49b-9780-7649-8e8e-099eb7b5db40',
  target_id: '01a1967a-e980-7731-aa92-077206c46de9',
  alert_id: '01a1f49b-9780-755f-8c8f-839868989e4e',
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
      alert_id: '01a1f49b-9780-755f-8c8f-839868989e4e',
      org_id: '01a19671-c1c0-7453-bb19-492ba816cd71',
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
  target_id: Type.Optional(Id('To this target alone.')),
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
