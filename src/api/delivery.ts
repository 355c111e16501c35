import { type Static, Type } from 'typebox';
import { type Delivery as DeliveryRecord, deliveryList, deliveryStatuses } from '../alerts/deliveries.ts';
import { noticeTypes } from '../alerts/notice.ts';
import {
  Choice,
  Count,
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

const NoticeType = Choice(noticeTypes);

const Notice = Type.Object(
  {
    id: Type.Optional(Text('The event, as OpenAI’s SDKs expect it: `evt_` and 32 hexadecimal digits.')),
    object: Type.Optional(Type.Literal('event')),
    created_at: Type.Optional(Whole('Seconds since the Unix epoch.')),
    type: NoticeType,
    timestamp: Timestamp,
    data: Type.Object(
      {
        org_id: Id(),
        alert_id: Type.Optional(Id()),
        limit: Type.Optional(Whole('The limit when the alert was raised.')),
        used: Type.Optional(Whole('The requests counted when the alert was raised.')),
        window: Type.Optional(Type.String()),
        window_start: Type.Optional(Timestamp),
        resets_at: Type.Optional(Timestamp),
        threshold: Type.Optional(Whole('Percent. Only in threshold alerts.')),
        exhausts_at: Type.Optional(time('Only in projections.')),
        id: Type.Optional(Text('The batch, or the request of a person.')),
        request_counts: Type.Optional(Type.Record(Type.String(), Whole('Only for batches.'))),
        message: Type.Optional(Text('Only in tests and in requests of people.')),
      },
      { description: 'Later versions may add fields.' },
    ),
  },
  { title: 'Notice', description: 'The message that is sent, which is also the body of a webhook.' },
);

const Delivery = Type.Object(
  {
    delivery_id: Id(),
    message_id: Id('The message’s `webhook-id`. It stays the same each time the message is sent.'),
    target_id: Id(),
    alert_id: Nullable(Id('Null for what is not an alert.')),
    type: NoticeType,
    status: Choice(
      deliveryStatuses,
      '`pending`: not sent yet, or waiting for another attempt. `failed`: no further attempt will be made.',
    ),
    attempts: Count(),
    next_attempt_at: Nullable(time('Null: no further attempt will be made.')),
    last_attempt_at: Nullable(Timestamp),
    last_outcome: Nullable(Text('The result of the last attempt in words, such as `Status 200`.')),
    created_at: Timestamp,
    message: Notice,
  },
  { title: 'AlertDelivery' },
);
type Delivery = Static<typeof Delivery>;

const view = viewOf(Delivery);

export function deliveryView(delivery: DeliveryRecord): Delivery {
  const nextAttemptAt = delivery.status === 'pending' ? delivery.nextAttemptAt : null;
  return view({ ...delivery, nextAttemptAt, message: JSON.parse(delivery.payload) });
}

export const DeliveryResponse = Type.Object(
  Delivery.properties,
  response('AlertDelivery', 'The message will be sent immediately. The list of deliveries shows the result.'),
);

export const DeliveryListResponse = PageResponse(
  'AlertDeliveryList',
  Delivery,
  'A page of the deliveries, by default newest first. The service keeps an organization’s newest 1,000 ' +
    'deliveries for 90 days.',
);

export const DeliveryQuery = PageQuery(deliveryList, {
  delivery_id: Type.Optional(Id('Only this delivery.')),
  target_id: Type.Optional(Id('Lists only the deliveries to this channel.')),
  status: Type.Optional(Choice(deliveryStatuses, 'Lists only the deliveries with this status.')),
});
