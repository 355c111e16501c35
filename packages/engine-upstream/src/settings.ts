import { environmentOverrides, type Named, variables } from '../../engine/src/index.ts';
import {
  choice,
  type EnvironmentReader,
  Fields,
  isHeaderValue,
  notAHeaderValue,
  refuse,
  type SettingValues,
  whole,
} from '../../small/src/settings.ts';

/** A model that runs on an OpenAI-compatible server. */
export interface UpstreamSettings
  extends Named,
    SettingValues<typeof variables.upstream>,
    SettingValues<typeof limits> {
  readonly kind: 'upstream';
  /** Undefined: it embeds texts. */
  readonly task?: 'rerank' | undefined;
  /** What a reranker returns. Null: scores in a range of its own. */
  readonly scores?: 'logits' | null;
  /** The model's name on the upstream. */
  readonly model: string;
  /** Null: the limit that the upstream reports, or 8,192. */
  readonly maxTokens: number | null;
  /** Prepended to each text of type `query`. */
  readonly queryPrompt: string;
  /** Prepended to each text of type `document`. */
  readonly documentPrompt: string;
  /** An arbitrary string, to be changed when the upstream's vectors change. */
  readonly revision: string | null;
}

const exampleModel = 'nomic-embed-text';
const exampleReranker = 'jina-reranker-v2-base-multilingual';
const { output, pooling, dtype, maxTokens } = variables.overrides;
const { urls, key, dimensions, encoding } = variables.upstream;
const maxMs = 3_600_000;
const scores = choice<'logits', null>(['logits'], null);
/** What only a settings file can set. */
const limits = {
  /** Maximum number of batches requested at the same time. */
  concurrency: whole(4, 1, 1_000),
  /** By default that of text-embeddings-inference. */
  maxBatchTexts: whole(32, 1, 2_048),
  /** Timeout of one attempt, from connecting to the last byte of the response. */
  timeoutMs: whole(30_000, 1, maxMs),
  /** Time limit for all attempts of a batch. */
  deadlineMs: whole(60_000, 1, maxMs),
  /** How long startup waits for the upstream. */
  startTimeoutMs: whole(60_000, 0, maxMs),
};

const unsetLimits = new Fields('', '', {}, '').all(limits);

/** Returns the upstream in the environment; null if there is none. */
export function environmentUpstream(read: EnvironmentReader): UpstreamSettings | null {
  if (read.text(urls.name) === null) {
    const needless = [key, dimensions].find(({ name }) => read.text(name) !== null);
    if (needless) refuse(urls.name, `is required with ${needless.name}`, variables.upstreamExample);
    return null;
  }
  for (const { name } of [output, pooling, dtype]) {
    if (read.text(name) !== null)
      refuse(name, 'applies to models that run in this process, not to an upstream', '');
  }
  const { model, revision } = read.all(variables.model);
  if (model === null) refuse('EMBEDDING_MODEL', `is required with ${urls.name}`, exampleModel);
  const { maxTokens = null, queryPrompt = '', documentPrompt = '' } = environmentOverrides(read);
  return {
    kind: 'upstream',
    name: model,
    model,
    ...read.all(variables.upstream),
    maxTokens,
    queryPrompt,
    documentPrompt,
    revision,
    ...unsetLimits,
  };
}

/** Returns the upstream for reranking in the environment; null if there is none. */
export function environmentReranker(read: EnvironmentReader): UpstreamSettings | null {
  const { model, urls, key, maxTokens, dtype, revision } = read.all(variables.rerank);
  const names = variables.rerank;
  if (urls.length === 0) {
    if (key !== null)
      refuse(names.urls.name, `is required with ${names.key.name}`, variables.upstreamExample);
    return null;
  }
  if (dtype !== null)
    refuse(names.dtype.name, 'applies to models that run in this process, not to an upstream', '');
  if (model === null) refuse(names.model.name, `is required with ${names.urls.name}`, exampleReranker);
  const unset = { dimensions: 1, encoding: encoding.unset, queryPrompt: '', documentPrompt: '' };
  const task = 'rerank';
  return {
    kind: 'upstream',
    task,
    name: model,
    model,
    urls,
    key,
    maxTokens,
    revision,
    ...unset,
    ...unsetLimits,
  };
}

/** Reads the field `upstream` of a model in a settings file, and the fields next to it. */
export function fileUpstream(
  entry: Fields,
  name: string | null,
  read: Pick<EnvironmentReader, 'text'>,
): UpstreamSettings {
  const fields = entry.fields('upstream', `{urls: [${variables.upstreamExample}], model: ${exampleModel}}`);
  const model = fields.text('model', exampleModel) ?? fields.fail('model', 'is missing', exampleModel);
  if (fields.has('task')) {
    const prompt = ['query_prompt', 'document_prompt'].find((name) => entry.has(name));
    if (prompt) entry.fail(prompt, 'applies only to models for embeddings', '""');
  }
  const task = fields.read('task', choice<'rerank', null>(['rerank'], null));
  const settings: UpstreamSettings = {
    kind: 'upstream',
    ...(task && { task }),
    name: name ?? model,
    model,
    urls: fields
      .list('urls', `[${variables.upstreamExample}]`)
      .map((url) =>
        variables.baseUrl(url, (fault) => fields.fail('urls', fault, `[${variables.upstreamExample}]`)),
      ),
    key: fileKey(fields, read),
    ...(task
      ? { dimensions: 1, encoding: encoding.unset, ...fields.all({ maxTokens, scores }) }
      : fields.all({ dimensions, maxTokens, encoding })),
    queryPrompt: entry.read('query_prompt', variables.overrides.queryPrompt) ?? '',
    documentPrompt: entry.read('document_prompt', variables.overrides.documentPrompt) ?? '',
    revision: entry.text('revision', '"2"'),
    ...fields.all(limits),
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
