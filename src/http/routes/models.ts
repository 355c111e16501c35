import { Type } from 'typebox';
import { namesOf } from '../../embeddings/model-catalog.ts';
import type { ServedModel } from '../../embeddings/served-model.ts';
import { ServiceError } from '../../errors.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { commonErrors, ErrorBody } from '../schemas/common.ts';

const Model = Type.Object(
  {
    id: Type.String({ description: 'A name that requests can use.' }),
    object: Type.Literal('model'),
    created: Type.Integer({ description: 'When this service started, in seconds since the Unix epoch.' }),
    owned_by: Type.String(),
    dimensions: Type.Integer({ description: 'The size of its vectors.' }),
    max_input_tokens: Type.Integer({ description: 'Tokens of one text that it reads.' }),
    alias_of: Type.Optional(
      Type.String({
        description: 'The model’s own name, which responses carry; absent where `id` is that name.',
      }),
    ),
    matryoshka_dimensions: Type.Optional(
      Type.Array(Type.Integer(), {
        description: 'Sizes that it was trained to be cut to, for `dimensions`; absent where it states none.',
      }),
    ),
  },
  { title: 'Model' },
);

const exampleModel = {
  id: 'universal-sentence-encoder-lite',
  object: 'model',
  created: 1_793_525_400,
  owned_by: 'embedgate',
  dimensions: 512,
  max_input_tokens: 128,
};

const ModelResponse = Type.Object(Model.properties, {
  title: 'Model',
  'x-response-description': 'The model.',
  examples: [exampleModel],
});

const ModelsResponse = Type.Object(
  { object: Type.Literal('list'), data: Type.Array(Model) },
  {
    title: 'ModelList',
    'x-response-description': 'The served models; the first serves the requests that name none.',
    examples: [
      {
        object: 'list',
        data: [
          exampleModel,
          { ...exampleModel, id: 'text-embedding-3-small', alias_of: 'universal-sentence-encoder-lite' },
        ],
      },
    ],
  },
);

const ModelParams = Type.Object({
  model: Type.String({
    description: 'The name of a model, or an alias. A slash in it may be encoded as `%2F` or not.',
  }),
});

export function modelsRoute(app: App, { models, startedAtMs }: Services): void {
  const view = (id: string, { model }: ServedModel) => ({
    id,
    object: 'model' as const,
    created: Math.floor(startedAtMs / 1_000),
    owned_by: 'embedgate',
    dimensions: model.dimensions,
    max_input_tokens: model.maxTokens,
    ...(id !== model.name && { alias_of: model.name }),
    ...(model.matryoshkaDimensions && { matryoshka_dimensions: [...model.matryoshkaDimensions] }),
  });
  const find = (id: string) => {
    const served = models.get(id);
    if (served) return view(id, served);
    throw new ServiceError('not_found', 'No such model');
  };

  app.get(
    '/v1/models',
    {
      schema: {
        operationId: 'listModels',
        summary: 'List the served models',
        description: 'Each alias of a model is listed after it.',
        tags: ['Embeddings'],
        security: [{ apiKey: [] }],
        response: { 200: ModelsResponse, ...commonErrors },
      },
    },
    async () => ({
      object: 'list' as const,
      data: models.all.flatMap((served) => namesOf(served).map((id) => view(id, served))),
    }),
  );

  app.get(
    '/v1/models/:model',
    {
      schema: {
        operationId: 'getModel',
        summary: 'Get one of the served models',
        tags: ['Embeddings'],
        security: [{ apiKey: [] }],
        params: ModelParams,
        response: { 200: ModelResponse, ...commonErrors, 404: ErrorBody },
      },
    },
    async (request) => find(request.params.model),
  );
  // Names of models on a hub have a slash, which clients send as it is.
  app.get('/v1/models/*', { schema: { hide: true } }, async (request) =>
    find((request.params as { '*': string })['*']),
  );
}
