import { type Failure, failures } from './failures.ts';

type Json = Readonly<Record<string, unknown>>;

const integer = (description: string, example: number): Json => ({
  description,
  schema: { type: 'integer' },
  example,
});
const text = (description: string, example: string): Json => ({
  description,
  schema: { type: 'string' },
  example,
});

/** The headers of responses, by the name of their component: header → description. */
const headers: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  RequestId: {
    'X-Request-Id': text(
      'The id that the request sent, if it has at most 64 letters, digits, `_`, `.`, `:` and `-`; otherwise a new id.',
      '5b0f7a0e-6a55-4a86-9c42-8f3f1d1c5f0e',
    ),
  },
  RateLimit: {
    'X-RateLimit-Limit': integer('Requests per window. 9007199254740991 means unlimited.', 10_000),
    'X-RateLimit-Remaining': integer(
      'Requests left in this window. 9007199254740991 means unlimited.',
      9_877,
    ),
    'X-RateLimit-Reset': {
      description: 'The end of the window, in UTC.',
      schema: { type: 'string', format: 'date-time' },
      example: '2026-12-01T00:00:00Z',
    },
    'RateLimit-Policy': text(
      'The window’s name, quota and length in seconds, according to draft-ietf-httpapi-ratelimit-headers.',
      '"monthly";q=10000;w=2592000',
    ),
    RateLimit: text(
      'The remaining requests and the seconds until the reset, according to the same draft.',
      '"monthly";r=9877;t=86400',
    ),
  },
  Model: {
    'X-Embedding-Fingerprint': text(
      'Identifies what produces the vectors, as `fingerprint` does.',
      '5d1f1a2b…',
    ),
    'X-Embedding-Truncated': integer('The number of texts that were cut. Absent: none was.', 1),
    Deprecation: text(
      'When the model was or will be deprecated (RFC 9745), if it is planned.',
      '@1793491200',
    ),
    Sunset: text('When the model ends (RFC 8594), if it is planned.', 'Sun, 31 Jan 2027 00:00:00 GMT'),
  },
  RetryAfter: {
    'Retry-After': integer('Seconds after which a retry makes sense.', 86_400),
  },
  Authenticate: {
    'WWW-Authenticate': text('The authentication scheme: send the API key as a bearer token.', 'Bearer'),
  },
  ShouldRetry: {
    'x-should-retry': text(
      '`false` if the reset is more than a minute away, so that OpenAI’s SDKs do not retry.',
      'false',
    ),
  },
};

/** Request headers of the routes that use a model. */
const ofModels = {
  ExpectedFingerprint: {
    name: 'X-Expected-Fingerprint',
    in: 'header',
    description: 'The fingerprint that the model must have. If it has another one, the response is 412.',
    schema: { type: 'string' },
  },
  InputType: {
    name: 'X-Input-Type',
    in: 'header',
    description: 'The input type, if neither the request nor the model’s alias has one.',
    schema: { type: 'string' },
  },
  CacheControl: {
    name: 'Cache-Control',
    in: 'header',
    description: '`no-store`: keep no vector. `no-cache`: compute every text again.',
    schema: { type: 'string' },
  },
};

/** Request headers that every route under /v1 understands. */
const parameters = {
  ErrorFormat: {
    name: 'X-Error-Format',
    in: 'header',
    description: 'The format of errors: ours (`flat`) or OpenAI’s.',
    schema: { type: 'string', enum: ['flat', 'openai'], default: 'flat' },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'An id for this request, which appears in the response and in the log.',
    schema: { type: 'string', pattern: '^[\\w.:-]{1,64}$' },
  },
};

export const refTo = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

/** Returns references to the headers of these groups, for a response. */
export function headerRefs(groups: readonly string[]): Json {
  const names = groups.flatMap((group) => Object.keys(headers[group] ?? {}));
  return Object.fromEntries(names.map((name) => [name, refTo('headers', name)]));
}

/** The name of a failure's response on routes that use no organization's quota. It has no rate limit headers. */
export const nameWithoutLimits = ({ name }: Failure): string => `${name}WithoutLimits`;

/** The common part of all operations. `error` is the schema of an error's body. */
export function sharedComponents(error: unknown): Json {
  const described = ({ description, example }: Failure, groups: readonly string[]): Json => ({
    description,
    headers: headerRefs(['RequestId', ...groups]),
    content: { 'application/json': { schema: error, example } },
  });
  const responses = Object.values(failures).flatMap((failure) => [
    [failure.name, described(failure, failure.headers)],
    [
      nameWithoutLimits(failure),
      described(
        failure,
        failure.headers.filter((group) => group === 'RetryAfter'),
      ),
    ],
  ]);
  return {
    headers: Object.assign({}, ...Object.values(headers)),
    parameters: { ...parameters, ...ofModels },
    responses: Object.fromEntries(responses),
  };
}

const refsTo = (group: object) => Object.keys(group).map((name) => refTo('parameters', name));
export const parameterRefs = refsTo(parameters);
export const modelParameterRefs = refsTo(ofModels);
