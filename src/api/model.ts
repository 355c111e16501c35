import { type Static, Type } from 'typebox';
import type { Model as ModelRecord } from '../engines/engine.ts';
import { List, response } from './common.ts';

const Model = Type.Object(
  {
    id: Type.String({ description: 'A name that requests can use.' }),
    object: Type.Literal('model'),
    created: Type.Integer({ description: 'When this service started, in seconds since the Unix epoch.' }),
    owned_by: Type.String(),
    dimensions: Type.Integer({ description: 'The size of its vectors.' }),
    max_input_tokens: Type.Integer({ description: 'Maximum number of tokens per text.' }),
    alias_of: Type.Optional(
      Type.String({
        description: 'The model’s own name, which responses use. Absent if `id` is that name.',
      }),
    ),
    matryoshka_dimensions: Type.Optional(
      Type.Array(Type.Integer(), {
        description:
          'The sizes that the model was trained for, to use as `dimensions`. Absent if the model states none.',
      }),
    ),
  },
  { title: 'Model' },
);
type Model = Static<typeof Model>;

const example: Model = {
  id: 'universal-sentence-encoder-lite',
  object: 'model',
  created: 1_793_525_400,
  owned_by: 'embedgate',
  dimensions: 512,
  max_input_tokens: 128,
};

/** `id` is the model's own name or an alias. */
export function modelView(id: string, model: ModelRecord, startedAtMs: number): Model {
  return {
    id,
    object: 'model',
    created: Math.floor(startedAtMs / 1_000),
    owned_by: 'embedgate',
    dimensions: model.dimensions,
    max_input_tokens: model.maxTokens,
    ...(id !== model.name && { alias_of: model.name }),
    ...(model.matryoshkaDimensions && { matryoshka_dimensions: [...model.matryoshkaDimensions] }),
  };
}

export const ModelResponse = Type.Object(Model.properties, response('Model', 'The model.', example));

export const ModelListResponse = List(
  'ModelList',
  Model,
  'The served models. The first one serves requests that name no model.',
  example,
  { ...example, id: 'text-embedding-3-small', alias_of: 'universal-sentence-encoder-lite' },
);

export const ModelParams = Type.Object({
  model: Type.String({
    description: 'The name of a model, or an alias. A slash in it can be encoded as `%2F` or left as it is.',
  }),
});
