import { type Static, Type } from 'typebox';
import { invalidField } from '../errors.ts';
import { isoTime } from '../lib/clock.ts';
import {
  type HistogramPart,
  outcomes,
  type RequestEntry,
  type RequestFilter,
  requestList,
} from '../usage/request-log.ts';
import { Id, Nullable, PageQuery, PageResponse, response, Timestamp, time } from './common.ts';

const Outcome = Type.Enum([...outcomes], {
  type: 'string',
  description:
    '`counted`: with vectors that were computed. `cached`: with vectors from the cache only. `refused`: with a status below 500. `failed`: with a status of 500 or more.',
});

const filters = {
  outcome: Type.Optional(Outcome),
  key_id: Type.Optional(Id('Only requests with this key.')),
  model: Type.Optional(
    Type.String({ maxLength: 254, pattern: '^[^\\u0000]*$', description: 'Only requests for this model.' }),
  ),
  status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
  min_latency_ms: Type.Optional(
    Type.Number({ minimum: 0, description: 'Only requests that took at least so long.' }),
  ),
  from: Type.Optional(time('The first moment, inclusive.')),
  to: Type.Optional(time('The last moment, exclusive.')),
  request_id: Type.Optional(
    Type.String({ pattern: '^[\\w.:-]{1,64}$', description: 'As in the response’s `X-Request-Id`.' }),
  ),
};

const Filters = Type.Object(filters);
export const RequestQuery = PageQuery(requestList, filters);
export const HistogramQuery = Filters;

/** Returns the filter of a query. Throws `invalid_request`. */
export function filterOf(query: Static<typeof Filters>): RequestFilter {
  const { outcome, key_id, model, status, min_latency_ms, from, to, request_id } = query;
  return {
    outcome,
    keyId: key_id,
    model,
    status,
    minLatencyMs: min_latency_ms,
    fromMs: momentOf(from, 'from'),
    toMs: momentOf(to, 'to'),
    requestId: request_id,
  };
}

function momentOf(text: string | undefined, param: string): number | undefined {
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  if (Number.isFinite(ms)) return ms;
  throw invalidField(param, `${param} must be a date and time such as 2026-11-21T03:54:00Z`);
}

const LoggedRequest = Type.Object(
  {
    entry_id: Id(),
    request_id: Type.String({ description: 'The response’s `X-Request-Id`.' }),
    at: Timestamp,
    key_id: Nullable(Id('Null: a person sent the request with a session.')),
    user_id: Nullable(
      Id('The person who sent the request. Null: sent with a key, or the caller may not see who it was.'),
    ),
    model: Nullable(Type.String({ description: 'Null: the request failed before it named a served model.' })),
    status: Type.Integer(),
    error: Nullable(Type.String({ description: 'The error’s code.' })),
    outcome: Outcome,
    texts: Type.Integer({ minimum: 0, description: '0 if the request failed before its texts were known.' }),
    tokens: Type.Integer({ minimum: 0 }),
    latency_ms: Type.Number({ minimum: 0, description: 'Until the response had been sent.' }),
    queue_ms: Type.Number({ minimum: 0, description: 'The part of it until the computation began.' }),
    limit_id: Nullable(Id('The limit that refused the request.')),
  },
  { title: 'LoggedRequest' },
);

/** `seesAll`: whether the reader may see who sent a request. Otherwise they see only themselves. */
export function requestView(
  entry: RequestEntry,
  reader: { readonly seesAll: boolean; readonly userId: string | null },
): Static<typeof LoggedRequest> {
  const { userId } = entry;
  return {
    entry_id: entry.entryId,
    request_id: entry.requestId,
    at: isoTime(entry.at),
    key_id: entry.keyId,
    user_id: reader.seesAll || userId === reader.userId ? userId : null,
    model: entry.model || null,
    status: entry.status,
    error: entry.error || null,
    outcome: entry.outcome,
    texts: entry.texts,
    tokens: entry.tokens,
    latency_ms: entry.latencyMs,
    queue_ms: entry.queueMs,
    limit_id: entry.limitId,
  };
}

const log = {
  enabled: Type.Boolean({ description: 'False with `REQUEST_LOG=off`: new requests are not logged.' }),
  kept_days: Type.Integer({ description: 'How long an entry is kept.' }),
};
const listed = 'A page of the log. It has no texts and no vectors.';
export const RequestListResponse = Type.Object(
  { ...PageResponse('LoggedRequestPage', LoggedRequest, listed).properties, ...log },
  response('LoggedRequestPage', listed, {
    object: 'list',
    data: [
      {
        entry_id: '01a19671-c1c0-7453-bb19-492ba816cd72',
        request_id: '6f2a1c1e-0a0e-4a52-9c4d-0f2f6a0d6a51',
        at: '2026-11-21T03:54:00.123Z',
        key_id: '01a19672-ac20-7527-8bb1-6cefd3e9e3ee',
        user_id: null,
        model: 'universal-sentence-encoder-lite',
        status: 200,
        error: null,
        outcome: 'counted',
        texts: 2,
        tokens: 11,
        latency_ms: 8.412,
        queue_ms: 1.207,
        limit_id: null,
      },
    ],
    has_more: false,
    next: null,
    enabled: true,
    kept_days: 7,
  }),
);

const bucketCount = 60;
const hourMs = 3_600_000;

const Bucket = Type.Object(
  {
    at: time('The beginning of the bucket.'),
    counted: Type.Integer({ minimum: 0 }),
    cached: Type.Integer({ minimum: 0 }),
    refused: Type.Integer({ minimum: 0 }),
    failed: Type.Integer({ minimum: 0 }),
  },
  { title: 'RequestBucket' },
);

const exampleBucket = { at: '2026-11-21T03:54:00.000Z', counted: 12, cached: 30, refused: 0, failed: 0 };
export const HistogramResponse = Type.Object(
  {
    from: Timestamp,
    to: Timestamp,
    bucket_ms: Type.Integer({ description: 'The length of a bucket.' }),
    buckets: Type.Array(Bucket, { description: `${bucketCount} buckets, oldest first.` }),
    ...log,
  },
  response('RequestHistogram', 'The number of requests over time.', {
    from: '2026-11-21T03:54:00.000Z',
    to: '2026-11-21T04:54:00.000Z',
    bucket_ms: 60_000,
    buckets: [exampleBucket],
    enabled: true,
    kept_days: 7,
  }),
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

export function bucketsOf(
  parts: readonly HistogramPart[],
  fromMs: number,
  bucketMs: number,
): Static<typeof Bucket>[] {
  const buckets = Array.from({ length: bucketCount }, (_, i) => ({
    at: isoTime(fromMs + i * bucketMs),
    counted: 0,
    cached: 0,
    refused: 0,
    failed: 0,
  }));
  for (const { bucket, outcome, requests } of parts) buckets[bucket]![outcome] = requests;
  return buckets;
}
