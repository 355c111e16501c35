import { type Static, Type } from 'typebox';
import type { InputType, Model } from '../../packages/engine/src/index.ts';
import { fieldsOf } from '../../packages/small/src/json.ts';
import { inputTypeExpectation, inputTypeFor } from '../embeddings/input-types.ts';
import { type EncodedType, isOutputType, type OutputType, outputTypes } from '../embeddings/output-types.ts';
import { maxTexts as maxInputs } from '../embeddings/request-tokens.ts';
import { invalidField, type ServiceError } from '../errors.ts';
import { Count, Flag, Many, response, Text, Whole } from './common.ts';

/** Maximum number of token ids of one text. */
const maxTokenIds = 65_536;

const PlainText = Type.String({ minLength: 1 });
/** A text, in one of the forms in which clients send it. */
const InputText = Type.Union([
  PlainText,
  Type.Object({ text: Type.String({ minLength: 1 }) }, { description: 'Jina’s form.' }),
]);
const TokenIds = Type.Array(Count(), { minItems: 1, maxItems: maxTokenIds });

export const EmbeddingsRequest = Type.Object(
  {
    input: Type.Union(
      [
        // Generated clients can't use a union in a union, and are simpler to use with a list of texts only.
        ...InputText.anyOf,
        Type.Array(PlainText, { minItems: 1, maxItems: maxInputs }),
        Type.Array(InputText, { minItems: 1, maxItems: maxInputs }),
        TokenIds,
        Type.Array(TokenIds, { minItems: 1, maxItems: maxInputs }),
      ],
      {
        description: `One text, or a list of 1 to ${maxInputs} texts. No text may be empty. A text can be an array of OpenAI’s token ids in \`cl100k_base\`, which is decoded first.`,
      },
    ),
    model: Type.Optional(
      Text(
        'The name or an alias of a served model. `GET /v1/models` lists them. Default: the key’s own, ' +
          'otherwise the first one.',
      ),
    ),
    encoding_format: Type.Optional(
      Type.Enum(['float', 'base64'], {
        type: 'string',
        description: '`base64`: the bytes of the vector as little-endian float32.',
        default: 'float',
      }),
    ),
    dimensions: Type.Optional(
      Whole(
        'Truncates the vectors to this many dimensions and normalizes them again. At most the model’s own.',
        { minimum: 1 },
      ),
    ),
    user: Type.Optional(
      Text('Accepted for compatibility and ignored. The user of a request is that of its key.'),
    ),
    input_type: Type.Optional(
      Type.String({
        description:
          'For models with prompts: `query` or `document`, or a word of another API, such as `search_query`, ' +
          '`passage` or `RETRIEVAL_QUERY`. Default: that of the model’s alias, then that of the header ' +
          '`X-Input-Type`, then `document`.',
        examples: ['query', 'document'],
      }),
    ),
    truncate: Type.Optional(
      Type.Union([Type.Boolean(), Type.String()], {
        description:
          '`false` or `NONE`: a text that exceeds the model’s limit is an error instead of being truncated. ' +
          '`true` or `END`, the default: its end is cut.',
      }),
    ),
    prompt_name: Type.Optional(Text('The same as `input_type`.')),
    task: Type.Optional(Text('Jina’s name of `input_type`.')),
    truncation: Type.Optional(Flag('Voyage’s name of `truncate`.')),
    output_dimension: Type.Optional(Whole('Voyage’s name of `dimensions`.', { minimum: 1 })),
    late_chunking: Type.Optional(Flag('Jina’s. Only `false`.')),
    normalized: Type.Optional(Flag('Jina’s. Only `true`.')),
    output_dtype: Type.Optional(
      Type.String({
        description:
          'The type of the numbers: `float`, `int8`, `uint8`, `binary` or `ubinary`. Bits need `dimensions` ' +
          'that are a multiple of 8. With `encoding_format: base64`, the bytes of these numbers.',
        default: 'float',
      }),
    ),
    embedding_type: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.String())], {
        description: 'Jina’s name of `output_dtype`, and of `encoding_format` if it is `base64`.',
      }),
    ),
    expected_fingerprint: Type.Optional(
      Text(
        'The fingerprint that the vectors must have, such as that of an index. If the model has another one, ' +
          'the response is 412 `fingerprint_mismatch`, and nothing is computed or counted. The header ' +
          '`X-Expected-Fingerprint` does the same.',
      ),
    ),
  },
  {
    title: 'EmbeddingsRequest',
    description:
      'Unknown fields are ignored, except one that nearly has the name of a known field. `null` in a field ' +
      'counts as if the field were absent.',
    examples: [
      { input: 'The quick brown fox' },
      {
        input: ['How do I reset my password?', 'I forgot my login.'],
        dimensions: 256,
        encoding_format: 'base64',
      },
    ],
  },
);
export type EmbeddingsRequest = Static<typeof EmbeddingsRequest>;

/** What each field must be, for errors. */
export const embeddingsExpectations: Record<string, string> = {
  model: 'a string',
  encoding_format: '"float" or "base64"',
  dimensions: 'a whole number of 1 or more',
  user: 'a string',
  input_type: inputTypeExpectation,
  prompt_name: inputTypeExpectation,
  task: inputTypeExpectation,
  truncate: 'true or false, "END" or "NONE"',
  truncation: 'true or false',
  late_chunking: 'false',
  normalized: 'true',
  output_dimension: 'a whole number of 1 or more',
  output_dtype: `one of ${outputTypes.join(', ')}`,
  embedding_type: `one of ${outputTypes.join(', ')}, base64`,
  expected_fingerprint: 'a string',
};

/** Returns what is wrong with `input`, for errors. */
export function inputFault(input: unknown): string {
  if (input === undefined) return 'input is missing: send a string or an array of strings';
  if (input === '') return 'input must not be empty';
  if (!Array.isArray(input)) return 'input must be a string or an array of strings';
  if (input.length === 0) return 'input must not be empty';
  const isIds = typeof input[0] === 'number';
  if (!isIds && input.length > maxInputs)
    return `input has ${input.length} texts, but a request can have at most ${maxInputs}`;
  const texts = isIds ? [input] : input;
  const at = texts.findIndex((text) => !isText(text));
  const first = texts[at];
  const name = isIds ? 'input' : `input[${at}]`;
  if (first === '' || (Array.isArray(first) && first.length === 0)) return `${name} must not be empty`;
  if (Array.isArray(first)) {
    return first.length > maxTokenIds
      ? `${name} has ${first.length} token ids, but a text can have at most ${maxTokenIds}`
      : `${name} must be a list of token ids`;
  }
  return at < 0 ? 'input must be all texts or all lists of token ids' : `${name} must be a string`;
}

const isText = (text: unknown): boolean =>
  Array.isArray(text)
    ? text.length > 0 && text.length <= maxTokenIds && text.every((id) => Number.isInteger(id) && id >= 0)
    : fieldsOf(text).text !== '' && typeof (fieldsOf(text).text ?? text) === 'string' && text !== '';

/** How to embed the texts of a request. Absent: the alias of the model or the service decides. */
export interface EmbeddingOptions {
  readonly inputType: MeantInputType | undefined;
  readonly truncate: boolean | undefined;
  readonly dimensions: number | undefined;
  readonly format: 'float' | 'base64';
  readonly type: OutputType;
  /** The fingerprint that the vectors must have. The header is another way to state it. */
  readonly expectedFingerprint: string | undefined;
}

const inputTypeFields = ['input_type', 'prompt_name', 'task'] as const;

/**
 * Reads a request's fields, whichever API’s names they have. Throws `invalid_request` for a value without a meaning
 * here.
 */
export function embeddingOptions(body: Omit<EmbeddingsRequest, 'input'>): EmbeddingOptions {
  const field = inputTypeFields.find((name) => body[name] !== undefined);
  if (body.late_chunking)
    throw invalidField('late_chunking', 'late_chunking must be false: each text is embedded by itself');
  if (body.normalized === false)
    throw invalidField('normalized', 'normalized must be true: all vectors have the length 1');
  const jinas = body.embedding_type === undefined ? 'float' : meantEmbeddingType(body.embedding_type);
  const type = body.output_dtype ?? (jinas === 'base64' ? 'float' : jinas);
  if (!isOutputType(type)) throw unexpected('output_dtype');
  return {
    inputType: field && meantInputType(body[field]!, field),
    truncate: body.truncation ?? meantTruncation(body.truncate),
    dimensions: body.dimensions ?? body.output_dimension,
    format: body.encoding_format ?? (jinas === 'base64' ? 'base64' : 'float'),
    type,
    expectedFingerprint: body.expected_fingerprint,
  };
}

/** Returns the input type for a model. Throws `invalid_request` if the request's word has no meaning for it. */
export type MeantInputType = (model: Model) => InputType;

/** Reads a word for an input type. `name` is that of the field or header. */
export const meantInputType =
  (word: string, name: string): MeantInputType =>
  (model) => {
    const type = inputTypeFor(model, word);
    if (type !== undefined) return type;
    const { promptedTypes = [] } = model;
    const own = promptedTypes.filter(
      (one) => inputTypeFor({ ...model, promptedTypes: [] }, one) === undefined,
    );
    const prompts = own.length > 0 ? `, or a prompt of the model: ${own.join(', ')}` : '';
    throw invalidField(name, `${name} must be ${inputTypeExpectation}${prompts}`);
  };

/** Returns what `truncate` means in the words of any API. */
export function meantTruncation(truncate: boolean | string | undefined): boolean | undefined {
  if (typeof truncate !== 'string') return truncate;
  const word = truncate.toUpperCase();
  if (word === 'START')
    throw invalidField(
      'truncate',
      'truncate must not be "START": texts are cut at their end. Send "END" or "NONE"',
    );
  if (word !== 'END' && word !== 'NONE') throw unexpected('truncate');
  return word === 'END';
}

function meantEmbeddingType(type: string | readonly string[]): EncodedType {
  const [only = '', ...others] = typeof type === 'string' ? [type] : type;
  if ((only !== 'base64' && !isOutputType(only)) || others.length > 0) throw unexpected('embedding_type');
  return only;
}

const unexpected = (param: string): ServiceError =>
  invalidField(param, `${param} must be ${embeddingsExpectations[param]}`);

const Embedding = Type.Object(
  {
    object: Type.Literal('embedding'),
    index: Count('The text’s index in `input`.'),
    embedding: Type.Union(
      [
        Many(Type.Number(), 'With `encoding_format: float`. Whole numbers unless `output_dtype` is `float`.'),
        Text('With `encoding_format: base64`.'),
      ],
      { description: 'A unit vector, or what `output_dtype` makes of it.' },
    ),
  },
  { title: 'Embedding' },
);

export const TokenUsage = Type.Object(
  {
    prompt_tokens: Count('Tokens that the model read, in all texts.'),
    total_tokens: Count('The same as `prompt_tokens`.'),
  },
  { title: 'TokenUsage' },
);

export const EmbeddingsResponse = Type.Object(
  {
    object: Type.Literal('list'),
    data: Many(Embedding, 'One embedding per text, in the order of `input`.'),
    model: Text('The model that computed the vectors.'),
    fingerprint: Text(
      'Identifies what produced the vectors. The header `X-Embedding-Fingerprint` has it too. Vectors with ' +
        'different fingerprints must not be mixed in an index.',
    ),
    usage: TokenUsage,
    cached: Flag('True if and only if nothing was computed for this request. Such a request is not counted.'),
    cached_texts: Count(
      'How many of the texts were not computed for this request: the cache had them, another request was ' +
        'computing them, or they repeat a text of this request.',
    ),
    truncated: Many(
      Count(),
      'The indexes of the texts that were cut at the limit of the model. The header `X-Embedding-Truncated` ' +
        'has their number if there are any.',
    ),
  },
  response('EmbeddingsResponse', 'The vectors of all texts.'),
);
