import { type Static, Type } from 'typebox';

export const maxInputs = 2_048;

export const EmbeddingsRequest = Type.Object(
  {
    input: Type.Union(
      [
        Type.String({ minLength: 1 }),
        Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: maxInputs }),
      ],
      { description: `One text, or 1 to ${maxInputs}, none of them empty. Token arrays are refused.` },
    ),
    model: Type.Optional(
      Type.String({
        description:
          'A served model’s name, as `GET /v1/models` tells it; any other is an error. Without it, the first of them.',
      }),
    ),
    encoding_format: Type.Optional(
      Type.Enum(['float', 'base64'], {
        type: 'string',
        description: '`base64`: the vector’s bytes, little-endian float32.',
        default: 'float',
      }),
    ),
    dimensions: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Cut to this many dimensions, then normalised again. At most the model’s own.',
      }),
    ),
    user: Type.Optional(Type.String({ description: 'Accepted for compatibility, and not kept.' })),
    input_type: Type.Optional(
      Type.Enum(['query', 'document'], {
        type: 'string',
        description: 'For models with prompts; the built-in model has none.',
        default: 'document',
      }),
    ),
    truncate: Type.Optional(
      Type.Boolean({
        description: '`false`: a text over the model’s limit is an error, not cut.',
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

const Embedding = Type.Object(
  {
    object: Type.Literal('embedding'),
    index: Type.Integer({ minimum: 0, description: 'The text’s place in `input`.' }),
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
    data: Type.Array(Embedding, { description: 'One for each text, in order.' }),
    model: Type.String({ description: 'The model that made the vectors.' }),
    usage: Type.Object(
      {
        prompt_tokens: Type.Integer({
          minimum: 0,
          description: 'Tokens of all texts, as the model read them.',
        }),
        total_tokens: Type.Integer({ minimum: 0, description: 'The same.' }),
      },
      { title: 'TokenUsage' },
    ),
    cached: Type.Boolean({
      description: 'True exactly when nothing was computed for this request; it was then not counted.',
    }),
  },
  {
    title: 'EmbeddingsResponse',
    'x-response-description': 'The vectors of all texts.',
    examples: [
      {
        object: 'list',
        data: [{ object: 'embedding', index: 0, embedding: [0.018542, -0.061133, 0.032718] }],
        model: 'universal-sentence-encoder-lite',
        usage: { prompt_tokens: 5, total_tokens: 5 },
        cached: false,
      },
    ],
  },
);
