import {
  ConfigError,
  type EnvironmentReader,
  type Fields,
  isHeaderValue,
  notAHeaderValue,
} from '../../lib/settings.ts';
import type { Named } from '../engine.ts';
import { environmentOverrides } from '../onnx/overrides.ts';

/** A model that runs on an OpenAI-compatible server. */
export interface UpstreamSettings extends Named {
  readonly kind: 'upstream';
  /** One or more base URLs, as in OpenAI's SDKs, of servers with the same model. */
  readonly urls: readonly string[];
  /** Sent as a bearer token unless null. */
  readonly key: string | null;
  /** The model's name on the upstream. */
  readonly model: string;
  /** The expected size of its vectors. Null: the size that the upstream returns at startup. */
  readonly dimensions: number | null;
  /** Null: the limit that the upstream reports, or 8,192. */
  readonly maxTokens: number | null;
  /** Prepended to each text of type `query`. */
  readonly queryPrompt: string;
  /** Prepended to each text of type `document`. */
  readonly documentPrompt: string;
  /** An arbitrary string, to be changed when the upstream's vectors change. */
  readonly revision: string | null;
  /** Maximum number of batches requested at the same time. */
  readonly concurrency: number;
  readonly maxBatchTexts: number;
  /** Timeout of one attempt, from connecting to the last byte of the response. */
  readonly timeoutMs: number;
  /** Time limit for all attempts of a batch. */
  readonly deadlineMs: number;
  /** How long startup waits for the upstream. */
  readonly startTimeoutMs: number;
}

const exampleUrl = 'http://127.0.0.1:11434/v1';
const exampleModel = 'nomic-embed-text';
const ofUpstreams = ['EMBEDDING_UPSTREAM_KEY', 'EMBEDDING_DIMENSIONS'];
const notOfUpstreams = ['EMBEDDING_OUTPUT', 'EMBEDDING_POOLING', 'EMBEDDING_DTYPE'];
const maxMs = 3_600_000;
const sizes = {
  dimensions: { default: null, min: 1, max: 65_536 },
  maxTokens: { default: null, min: 1, max: 10_000_000 },
  concurrency: { default: 4, min: 1, max: 1_000 },
  // The default of text-embeddings-inference.
  maxBatchTexts: { default: 32, min: 1, max: 2_048 },
  timeoutMs: { default: 30_000, min: 1, max: maxMs },
  deadlineMs: { default: 60_000, min: 1, max: maxMs },
  startTimeoutMs: { default: 60_000, min: 0, max: maxMs },
};

/** Returns the upstream in the environment; null if there is none. */
export function environmentUpstream(read: EnvironmentReader): UpstreamSettings | null {
  const urls = read.text('EMBEDDING_UPSTREAM_URL');
  if (urls === null) {
    for (const name of ofUpstreams) {
      if (read.text(name) !== null) missing('EMBEDDING_UPSTREAM_URL', `with ${name}`, exampleUrl);
    }
    return null;
  }
  for (const name of notOfUpstreams) {
    if (read.text(name) !== null)
      fail(name, 'applies to models that run in this process, not to an upstream', '');
  }
  const model =
    read.text('EMBEDDING_MODEL') ?? missing('EMBEDDING_MODEL', 'with EMBEDDING_UPSTREAM_URL', exampleModel);
  const { maxTokens = null, queryPrompt = '', documentPrompt = '' } = environmentOverrides(read);
  return {
    kind: 'upstream',
    name: model,
    model,
    // No error repeats the value, because it may contain a password.
    urls: urls
      .split(',')
      .map((url) => baseUrl(url) ?? fail('EMBEDDING_UPSTREAM_URL', notAnAddress, exampleUrl)),
    key: environmentKey(read.text('EMBEDDING_UPSTREAM_KEY')),
    dimensions: read.whole('EMBEDDING_DIMENSIONS', sizes.dimensions),
    maxTokens,
    queryPrompt,
    documentPrompt,
    revision: read.text('EMBEDDING_REVISION'),
    concurrency: sizes.concurrency.default,
    maxBatchTexts: sizes.maxBatchTexts.default,
    timeoutMs: sizes.timeoutMs.default,
    deadlineMs: sizes.deadlineMs.default,
    startTimeoutMs: sizes.startTimeoutMs.default,
  };
}

function environmentKey(key: string | null): string | null {
  return key === null || isHeaderValue(key) ? key : fail('EMBEDDING_UPSTREAM_KEY', notAHeaderValue, 'sk-…');
}

/** Reads the field `upstream` of a model in a settings file, and the fields next to it. */
export function fileUpstream(
  entry: Fields,
  name: string | null,
  read: Pick<EnvironmentReader, 'text'>,
): UpstreamSettings {
  const fields = entry.fields('upstream', `{urls: [${exampleUrl}], model: ${exampleModel}}`);
  const model = fields.text('model', exampleModel) ?? fields.fail('model', 'is missing', exampleModel);
  const whole = (field: string, bounds: (typeof sizes)['concurrency']) => fields.whole(field, bounds);
  const settings: UpstreamSettings = {
    kind: 'upstream',
    name: name ?? model,
    model,
    urls: fields
      .list('urls', `[${exampleUrl}]`)
      .map((url) => baseUrl(url) ?? fields.fail('urls', notAnAddress, `[${exampleUrl}]`)),
    key: fileKey(fields, read),
    dimensions: fields.whole('dimensions', sizes.dimensions),
    maxTokens: fields.whole('max_tokens', sizes.maxTokens),
    queryPrompt: entry.exactText('query_prompt', '"query: "') ?? '',
    documentPrompt: entry.exactText('document_prompt', '"passage: "') ?? '',
    revision: entry.text('revision', '"2"'),
    concurrency: whole('concurrency', sizes.concurrency),
    maxBatchTexts: whole('max_batch_texts', sizes.maxBatchTexts),
    timeoutMs: whole('timeout_ms', sizes.timeoutMs),
    deadlineMs: whole('deadline_ms', sizes.deadlineMs),
    startTimeoutMs: whole('start_timeout_ms', sizes.startTimeoutMs),
  };
  fields.end();
  return settings;
}

function fileKey(fields: Fields, read: Pick<EnvironmentReader, 'text'>): string | null {
  const variable = fields.text('key_env', 'OPENAI_API_KEY');
  const written = fields.text('key', 'sk-…');
  // An empty field is an error: without the key that it was meant to hold, requests would not be authenticated.
  if (variable === null && fields.has('key_env')) fields.fail('key_env', 'is empty', 'OPENAI_API_KEY');
  if (written === null && fields.has('key')) fields.fail('key', 'is empty', 'sk-…');
  if (variable !== null && written !== null)
    fields.fail('key_env', 'is set together with key', 'OPENAI_API_KEY');
  const key = variable === null ? written : read.text(variable);
  if (variable !== null && key === null)
    fields.fail('key_env', 'names a variable that is not set', 'OPENAI_API_KEY');
  if (key !== null && !isHeaderValue(key)) fields.fail('key', notAHeaderValue, 'sk-…');
  return key;
}

const notAnAddress = 'is not an http:// or https:// address without user and password';

/** Returns undefined for an invalid URL. The path `/v1`, which all such servers have, may be left out. */
function baseUrl(value: unknown): string | undefined {
  const url = typeof value === 'string' ? URL.parse(value.trim()) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) return undefined;
  if (url.pathname === '/') url.pathname = '/v1';
  return url.href;
}

function missing(name: string, why: string, example: string): never {
  return fail(name, `is required ${why}`, example);
}

function fail(name: string, fault: string, example: string): never {
  throw new ConfigError(`${name}: ${fault}; for example ${name}=${example}`);
}
