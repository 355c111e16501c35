import { type Static, Type } from 'typebox';
import { lifecycleOf, statusOf } from '../embeddings/lifecycle.ts';
import type { Offer } from '../embeddings/model-catalog.ts';
import { maxTexts } from '../embeddings/request-tokens.ts';
import { Choice, Flag, List, Many, Nullable, response, Text, Whole } from './common.ts';

const Day = Nullable(Type.String({ format: 'date' }));

const Model = Type.Object(
  {
    id: Text('A name that requests can use.'),
    object: Type.Literal('model'),
    created: Whole('When this service started, in seconds since the Unix epoch.'),
    owned_by: Type.String(),
    task: Choice(
      ['embed', 'rerank'],
      'Whether the model embeds texts (`POST /v1/embeddings`) or scores documents (`POST /v1/rerank`).',
    ),
    fingerprint: Text(
      'Identifies what produces the vectors: weights, tokenizer, pooling and prompts. Vectors with different ' +
        'fingerprints must not be mixed in an index.',
    ),
    dimensions: Whole('The size of its vectors. 1 for a model that scores.'),
    max_input_tokens: Whole('Maximum number of tokens per text, or per query and document together.'),
    max_inputs: Whole('Maximum number of texts per request.'),
    input_types: Many(
      Text('`query`, `document`, or the name of a prompt in the model’s file.'),
      'The input types that have a prompt of their own. Empty: the input type makes no difference.',
    ),
    pooling: Type.Optional(
      Text(
        '`mean`, `cls`, `last` or `max`: how the vectors of tokens become that of a text. Absent: the graph or ' +
          'an upstream does it.',
      ),
    ),
    dtype: Type.Optional(Text('The type of its weights, such as `int8`. Absent for an upstream.')),
    alias_of: Type.Optional(Text('The model’s own name, which responses use. Absent if `id` is that name.')),
    input_type: Type.Optional(Type.String()),
    truncate: Type.Optional(
      Flag('Whether requests with this alias are truncated unless they say so themselves.'),
    ),
    matryoshka_dimensions: Type.Optional(
      Many(
        Type.Integer(),
        'The sizes that the model was trained for, to use as `dimensions`. Absent if the model states none.',
      ),
    ),
    languages: Nullable(Many(Type.String(), 'BCP 47 codes, or the words of the card. Null: unknown.')),
    license: Nullable(Text('An SPDX id, or the words of the card. Null: unknown.')),
    lifecycle: Type.Object(
      {
        status: Choice(['active', 'deprecated', 'retired']),
        deprecated: Day,
        sunset: Day,
        replacement: Nullable(Text('The model to use instead.')),
      },
      {
        description:
          'The plans of the operator. From the day of the sunset, requests for the model get 410 `model_retired`.',
      },
    ),
  },
  { title: 'Model' },
);
type Model = Static<typeof Model>;

export function modelView({ served: { model }, alias }: Offer, startedAtMs: number, nowMs: number): Model {
  const { languages, license = null } = model.facts ?? {};
  const lifecycle = lifecycleOf(model);
  const { name, inputType, dimensions, truncate } = alias;
  return {
    id: name,
    object: 'model',
    created: Math.floor(startedAtMs / 1_000),
    owned_by: 'embedgate',
    task: model.task ?? 'embed',
    fingerprint: model.fingerprint,
    dimensions: dimensions ?? model.dimensions,
    max_input_tokens: model.maxTokens,
    max_inputs: maxTexts,
    input_types: [...(model.promptedTypes ?? [])],
    ...(model.pooling !== undefined && { pooling: model.pooling }),
    ...(model.dtype !== undefined && { dtype: model.dtype }),
    ...(name !== model.name && { alias_of: model.name }),
    ...(inputType !== undefined && { input_type: inputType }),
    ...(truncate !== undefined && { truncate }),
    ...(model.matryoshkaDimensions && { matryoshka_dimensions: [...model.matryoshkaDimensions] }),
    languages: languages?.length ? [...languages] : null,
    license,
    lifecycle: { status: statusOf(lifecycle, nowMs), ...lifecycle },
  };
}

export const ModelResponse = Type.Object(Model.properties, response('Model', 'The model.'));

export const ModelListResponse = List(
  'ModelList',
  Model,
  'The served models. The first one of each task serves requests that name no model.',
);

export const ModelParams = Type.Object({
  model: Text('The name of a model, or an alias. A slash in it can be encoded as `%2F` or left as it is.'),
});
