import { type Static, Type } from 'typebox';
import { maxTexts as maxInputs } from '../embeddings/request-tokens.ts';
import { response } from './common.ts';

export const EmbeddingsRequest = Type.Object(
  {
    input: Type.Union(
      [
        Type.String({ minLength: 1 }),
        Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: maxInputs }),
      ],
      {
        description: `One text, or a list of 1 to ${maxInputs} texts. No text may be empty. Token arrays are rejected.`,
      },
    ),
    model: Type.Optional(
      Type.String({
        description: 'The name of a served model. `GET /v1/models` lists them. Default: the first one.',
      }),
    ),
    encoding_format: Type.Optional(
      Type.Enum(['float', 'base64'], {
        type: 'string',
        description: '`base64`: the bytes of the vector as little-endian float32.',
        default: 'float',
      }),
    ),
    dimensions: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Truncates the vectors to this many dimensions and normalizes them again. At most the model’s own.',
      }),
    ),
    user: Type.Optional(Type.String({ description: 'Accepted for compatibility and ignored.' })),
    input_type: Type.Optional(
      Type.Enum(['query', 'document'], {
        type: 'string',
        description: 'For models with prompts. The built-in model has none.',
        default: 'document',
      }),
    ),
    truncate: Type.Optional(
      Type.Boolean({
        description: '`false`: a text that exceeds the model’s limit is an error instead of being truncated.',
        default: true,
      }),
    ),
  },
  {
    title: 'EmbeddingsRequest',
    description: 'Unknown fields are ignored.',
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
  input_type: '"query" or "document"',
  truncate: 'true or false',
};

/** Returns what is wrong with `input`, for errors. */
export function inputFault(input: unknown): string {
  if (input === undefined) return 'input is missing: send a string or an array of strings';
  if (input === '') return 'input must not be empty';
  if (!Array.isArray(input)) return 'input must be a string or an array of strings';
  if (input.length === 0) return 'input must not be empty';
  if (input.length > maxInputs)
    return `input has ${input.length} texts, but a request can have at most ${maxInputs}`;
  const at = input.findIndex((text) => typeof text !== 'string' || text === '');
  const first = input[at];
  if (first === '') return `input[${at}] must not be empty`;
  if (typeof first === 'number' || Array.isArray(first)) {
    return (
      `input[${at}] is a token id or a list of them, but this server accepts only text. ` +
      'In LangChain, pass check_embedding_ctx_length=False'
    );
  }
  return `input[${at}] must be a string`;
}

const Embedding = Type.Object(
  {
    object: Type.Literal('embedding'),
    index: Type.Integer({ minimum: 0, description: 'The text’s index in `input`.' }),
    embedding: Type.Union(
      [
        Type.Array(Type.Number(), { description: 'With `encoding_format: float`.' }),
        Type.String({ description: 'With `encoding_format: base64`.' }),
      ],
      { description: 'A unit vector.' },
    ),
  },
  { title: 'Embedding' },
);

export const EmbeddingsResponse = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(Embedding, { description: 'One embedding per text, in the order of `input`.' }),
    model: Type.String({ description: 'The model that computed the vectors.' }),
    usage: Type.Object(
      {
        prompt_tokens: Type.Integer({
          minimum: 0,
          description: 'Tokens that the model read, in all texts.',
        }),
        total_tokens: Type.Integer({ minimum: 0, description: 'The same as `prompt_tokens`.' }),
      },
      { title: 'TokenUsage' },
    ),
    cached: Type.Boolean({
      description:
        'True if and only if nothing was computed for this request. Such a request is not counted.',
    }),
  },
  response('EmbeddingsResponse', 'The vectors of all texts.', {
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [0.018542, -0.061133, 0.032718] }],
    model: 'universal-sentence-encoder-lite',
    usage: { prompt_tokens: 5, total_tokens: 5 },
    cached: false,
  }),
);
