import { type Static, Type } from 'typebox';
import { type Batch, batchEndpoints, batchStatuses } from '../batches/batch.ts';
import { Choice, Count, Flag, Many, Nullable, response, Text, Whole } from './common.ts';
import { ExpiresAfter, ListPage } from './file.ts';

/** The most characters of a key and of a value. The schema alone bounds no key. */
export const maxMetadata = { key: 64, value: 512 };

const Metadata = Type.Record(
  Type.String({ maxLength: maxMetadata.key }),
  Type.String({ maxLength: maxMetadata.value }),
  {
    maxProperties: 16,
    description:
      `Up to 16 pairs of your own, with keys of up to ${maxMetadata.key} and values of up to ` +
      `${maxMetadata.value} characters.`,
  },
);

export const BatchRequest = Type.Object(
  {
    input_file_id: Type.Optional(Text('A file with the purpose `batch`. Or send `requests` instead.')),
    requests: Type.Optional(
      Type.Array(
        Type.Object({
          custom_id: Type.Optional(Text('Default: the number of the request, from 0.')),
          body: Type.Record(Type.String(), Type.Unknown(), {
            description: 'The body of a request to the endpoint.',
          }),
        }),
        { minItems: 1, description: 'The requests of a small batch, instead of a file.' },
      ),
    ),
    endpoint: Choice(batchEndpoints, 'What the requests ask for.'),
    model: Type.Optional(Text('The model of the requests in `requests` that name none.')),
    completion_window: Type.Optional(
      Type.String({
        pattern: '^([1-9]|[1-9]\\d|1[0-5]\\d|16[0-8])h$',
        default: '24h',
        description: 'When the batch expires: `1h` to `168h`.',
      }),
    ),
    metadata: Type.Optional(Nullable(Metadata)),
    output_expires_after: Type.Optional(ExpiresAfter),
  },
  {
    title: 'BatchRequest',
    examples: [
      {
        input_file_id: 'file-01934f6d2c5a7b3e8f90a1b2c3d4e5f6',
        endpoint: '/v1/embeddings',
        completion_window: '24h',
      },
    ],
  },
);
export type BatchRequest = Static<typeof BatchRequest>;

/** What each field must be, for errors. */
export const batchExpectations: Readonly<Record<string, string>> = {
  completion_window: '"1h" to "168h"',
  metadata: 'up to 16 pairs of texts',
};

export const completionWindowMs = (window = '24h'): number => Number.parseInt(window, 10) * 3_600_000;

const Seconds = Nullable(Whole('Seconds since the Unix epoch.', { minimum: 0 }));

const Fault = Type.Object({
  code: Text('What is wrong, for programs.'),
  message: Text('What is wrong, for people.'),
  param: Nullable(Text('The field.')),
  line: Nullable(Count('The number of the line, from 1.')),
});

const stamps = [
  'in_progress_at',
  'finalizing_at',
  'completed_at',
  'failed_at',
  'expired_at',
  'cancelling_at',
  'cancelled_at',
] as const;
type Stamps = Record<(typeof stamps)[number], number | null>;

export const BatchResponse = Type.Object(
  {
    id: Text('Begins with `batch_`.'),
    object: Type.Literal('batch'),
    endpoint: Choice(batchEndpoints),
    model: Nullable(Text('Null until the file is validated.')),
    errors: Nullable(Type.Object({ object: Type.Literal('list'), data: Many(Fault, 'At most 20 faults.') })),
    input_file_id: Text('The file with the requests.'),
    input_filename: Text('The name of that file.'),
    completion_window: Text('As sent.'),
    status: Choice(batchStatuses),
    output_file_id: Nullable(Text('The file with the responses, once the batch has ended.')),
    error_file_id: Nullable(Text('The file with the errors. Null if there are none.')),
    created_at: Whole('Seconds since the Unix epoch.', { minimum: 0 }),
    expires_at: Whole('When the batch expires, in seconds since the Unix epoch.', { minimum: 0 }),
    ...(Object.fromEntries(stamps.map((name) => [name, Seconds])) as Record<keyof Stamps, typeof Seconds>),
    request_counts: Type.Object({ total: Count(), completed: Count(), failed: Count() }),
    usage: Type.Object({
      input_tokens: Count('Tokens that the model read.'),
      input_tokens_details: Type.Object({
        cached_tokens: Count('Tokens of requests that came from the cache.'),
      }),
      output_tokens: Count('Always 0: vectors have no tokens.'),
      output_tokens_details: Type.Object({ reasoning_tokens: Count('Always 0.') }),
      total_tokens: Count('The same as `input_tokens`.'),
    }),
    metadata: Nullable(Metadata),
    cached_requests: Count('The completed requests that came from the cache, which are not counted.'),
    texts: Count('The texts that were embedded, with those from the cache.'),
    waits_for: Nullable(Text('Why the batch makes no progress at the moment.')),
    quota: Type.Object(
      {
        requests: Count('The requests of the batch.'),
        remaining: Nullable(
          Count('What was left of the quota. Null: unlimited, or counted in another unit.'),
        ),
        fits: Flag('Whether the batch fits into it.'),
        resets_at: Seconds,
      },
      { description: 'The quota as it was when the batch was created.' },
    ),
  },
  response('Batch', 'The batch.'),
);

export function batchView(batch: Batch): Static<typeof BatchResponse> {
  const { createdAt, expiresAt, times, errors, quota, endedAt, tokens } = batch;
  const seconds = (ms: number | null | undefined): number | null =>
    ms == null ? null : Math.floor(ms / 1_000);
  const reached = stamps.map((name) => [name, seconds(times[name.slice(0, -3) as Batch['status']])]);
  return {
    id: batch.batchId,
    object: 'batch',
    endpoint: batch.endpoint,
    model: batch.model,
    errors: errors.length > 0 ? { object: 'list', data: [...errors] } : null,
    input_file_id: batch.inputFileId,
    input_filename: batch.inputFilename,
    completion_window: `${Math.round((expiresAt - createdAt) / 3_600_000)}h`,
    status: batch.status,
    // The files are not complete before.
    output_file_id: endedAt === null ? null : batch.outputFileId,
    error_file_id: endedAt === null ? null : batch.errorFileId,
    created_at: seconds(createdAt)!,
    expires_at: seconds(expiresAt)!,
    ...(Object.fromEntries(reached) as Stamps),
    request_counts: { total: batch.total, completed: batch.completed, failed: batch.failed },
    usage: {
      input_tokens: tokens,
      input_tokens_details: { cached_tokens: batch.cachedTokens },
      output_tokens: 0,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: tokens,
    },
    metadata: batch.metadata,
    cached_requests: batch.cached,
    texts: batch.texts,
    waits_for: batch.waitsFor,
    quota: {
      requests: quota.requests,
      remaining: quota.remaining,
      fits: quota.fits,
      resets_at: seconds(quota.resetsAtMs),
    },
  };
}

export const BatchParams = Type.Object({ batch_id: Text('Begins with `batch_`.') });

export const BatchListQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  after: Type.Optional(Text('The identifier after which the page begins.')),
});

export const BatchListResponse = ListPage('BatchList', BatchResponse);
