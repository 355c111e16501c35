import { type Static, Type } from 'typebox';

export const maxInputs = 2_048;

export const EmbeddingsRequest = Type.Object(
  {
    input: Type.Union(
      [
        Type.String({ minLength: 1 }),
        Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: maxInputs }),
      ],
      { description: `One text, or 1 to ${maxInputs}, none of them empty.` },
    ),
    model: Type.Optional(Type.String({ description: 'The served model’s name.' })),
    encoding_format: Type.Optional(
      Type.Union([Type.Literal('float'), Type.Literal('base64')], {
        description: 'base64 is of little-endian float32.',
        default: 'float',
      }),
    ),
    dimensions: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Cut to this many dimensions, then normalised again.' }),
    ),
    user: Type.Optional(Type.String({ description: 'Accepted for compatibility, and not kept.' })),
    input_type: Type.Optional(
      Type.Union([Type.Literal('query'), Type.Literal('document')], {
        description: 'For models with prompts.',
        default: 'document',
      }),
    ),
    truncate: Type.Optional(
      Type.Boolean({
        description: 'false: a text over the model’s limit is an error, not cut.',
        default: true,
      }),
    ),
  },
  { description: 'Unknown fields are ignored.' },
);
export type EmbeddingsRequest = Static<typeof EmbeddingsRequest>;

export const EmbeddingsResponse = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(
    Type.Object({
      object: Type.Literal('embedding'),
      index: Type.Integer(),
      embedding: Type.Union([
        Type.Array(Type.Number()),
        Type.String({ description: 'With `encoding_format: base64`' }),
      ]),
    }),
  ),
  model: Type.String(),
  usage: Type.Object({ prompt_tokens: Type.Integer(), total_tokens: Type.Integer() }),
  cached: Type.Boolean({
    description: 'True exactly when nothing was computed for this request; it was then not counted.',
  }),
});
