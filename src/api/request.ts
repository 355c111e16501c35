import { type Static, Type } from 'typebox';
import { invalidField } from '../errors.ts';
import { neverMs } from '../keys/key.ts';
import { isoTime } from '../lib/clock.ts';
import {
  type HistogramPart,
  type NamedEntry,
  outcomes,
  type RequestFilter,
  requestList,
} from '../usage/request-log.ts';
import {
  Choice,
  Count,
  Flag,
  Id,
  Many,
  Nullable,
  PageQuery,
  PageResponse,
  response,
  Text,
  Timestamp,
  time,
  UserText,
  Whole,
} from './common.ts';
import { viewOf } from './view.ts';

const Outcome = Choice(
  outcomes,
  '`counted`: with vectors that were computed. `cached`: with vectors from the cache only. `refused`: with a ' +
    'status below 500. `failed`: with a status of 500 or more.',
);

export const HistogramQuery = Type.Object({
  outcome: Type.Optional(Outcome),
  key_id: Type.Optional(Id()),
  user_id: Type.Optional(
    UserText(
      'Requests with the keys of this user, and those that they sent with a session if the caller may see who did.',
    ),
  ),
  model: Type.Optional(Type.String({ maxLength: 254, pattern: '^[^\\u0000]*$' })),
  status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
  min_latency_ms: Type.Optional(Type.Number({ minimum: 0 })),
  from: Type.Optional(time('The first moment, inclusive.')),
  to: Type.Optional(time('The last moment, exclusive.')),
  request_id: Type.Optional(
    Type.String({ pattern: '^[\\w.:-]{1,64}$', description: 'As in the response’s `X-Request-Id`.' }),
  ),
});

export const RequestQuery = PageQuery(requestList, HistogramQuery.properties);

/** The reader of the log. `seesAll`: whether they may see who sent a request. Otherwise they see only their own name. */
export interface LogAccess {
  readonly seesAll: boolean;
  readonly userId: string | null;
}

const mayKnow = (reader: LogAccess, userId: string | null): boolean =>
  reader.seesAll || userId === reader.userId;

/** Returns the filter of a query. Throws `invalid_request`. */
export function filterOf(query: Static<typeof HistogramQuery>, reader: LogAccess): RequestFilter {
  const {
    outcome,
    key_id: keyId,
    user_id: userId,
    model,
    status,
    min_latency_ms: minLatencyMs,
    request_id: requestId,
  } = query;
  const [fromMs, toMs] = [momentOf(query, 'from'), momentOf(query, 'to')];
  const isOfKeys = userId !== undefined && !mayKnow(reader, userId);
  return { outcome, keyId, userId, isOfKeys, model, status, minLatencyMs, fromMs, toMs, requestId };
}

/** Returns a moment of a query in milliseconds. Throws `invalid_request`. */
export function momentOf<Param extends 'from' | 'to'>(
  query: Readonly<{ [P in Param]?: string | undefined }>,
  param: Param,
): number | undefined {
  const text = query[param];
  const ms = text === undefined ? undefined : Date.parse(text);
  // A time zone can make the last hours of the year 9999 a later year, which has another form.
  if (ms === undefined || ms <= neverMs) return ms;
  throw invalidField(param, `${param} must be a date and time such as 2026-11-21T03:54:00Z`);
}

const LoggedRequest = Type.Object(
  {
    org_id: Id(),
    org_name: Nullable(Text('The organization’s name. Null: it has been deleted.')),
    entry_id: Text('Distinguishes the entry from the organization’s others.'),
    request_id: Text('The response’s `X-Request-Id`.'),
    at: Timestamp,
    key_id: Nullable(Id('Null: a person sent the request with a session.')),
    key_name: Nullable(Text('The key’s name. Null: a person sent the request.')),
    user_id: Nullable(Id('The person who sent it. Null: a key did, or the caller may not see who it was.')),
    model: Nullable(Text('Null: the request failed before it named a served model.')),
    status: Type.Integer(),
    error: Nullable(Text('The error’s code.')),
    outcome: Outcome,
    texts: Count('0 if the request failed before its texts were known.'),
    tokens: Count(),
    latency_ms: Type.Number({ minimum: 0, description: 'Until the response had been sent.' }),
    queue_ms: Type.Number({ minimum: 0, description: 'The part of it until the computation began.' }),
    limit_id: Nullable(Id('The limit that refused the request.')),
    param: Nullable(
      Text(
        'The field that was not valid, the scope that the key lacks, or `paused`, `revoked` or `expired` of the key, or ' +
          '`network`: its `networks` don’t have the sender’s address.',
      ),
    ),
  },
  { title: 'LoggedRequest' },
);

const view = viewOf(LoggedRequest);

export function requestView(entry: NamedEntry, reader: LogAccess): Static<typeof LoggedRequest> {
  const userId = mayKnow(reader, entry.userId) ? entry.userId : null;
  return view({ ...entry, userId, model: entry.model || null, error: entry.error || null });
}

const log = {
  enabled: Flag('False with `REQUEST_LOG=off`: new requests are not logged.'),
  kept_days: Whole('How long an entry is kept.'),
};

export const RequestListResponse = PageResponse(
  'LoggedRequestPage',
  LoggedRequest,
  'A page of the log. It has no texts and no vectors.',
  log,
);

const bucketCount = 60;
const hourMs = 3_600_000;
const none = { counted: 0, cached: 0, refused: 0, failed: 0 };

const Bucket = Type.Object(
  {
    at: time('The beginning of the bucket.'),
    counted: Count(),
    cached: Count(),
    refused: Count(),
    failed: Count(),
  },
  { title: 'RequestBucket' },
);

export const HistogramResponse = Type.Object(
  {
    from: Timestamp,
    to: Timestamp,
    bucket_ms: Whole('The length of a bucket.'),
    buckets: Many(Bucket, `${bucketCount} buckets, oldest first.`),
    ...log,
  },
  response('RequestHistogram', 'The number of requests over time.'),
);

/** Returns the filter with a beginning and an end, by default the last hour, and the length of a bucket. */
export function histogramOf(filter: RequestFilter, nowMs: number) {
  // One more millisecond, so that a request of this one is included.
  const toMs = filter.toMs ?? nowMs + 1;
  const fromMs = filter.fromMs ?? toMs - hourMs;
  if (fromMs >= toMs) throw invalidField('from', 'from must be earlier than to');
  const bucketMs = Math.ceil((toMs - fromMs) / bucketCount);
  return { filter: { ...filter, fromMs, toMs }, bucketMs };
}

export function bucketsOf(parts: readonly HistogramPart[], fromMs: number, bucketMs: number) {
  const buckets = Array.from({ length: bucketCount }, (_, i) => ({
    at: isoTime(fromMs + i * bucketMs),
    ...none,
  }));
  for (const { bucket, outcome, requests } of parts) buckets[bucket]![outcome] = requests;
  return buckets;
}
