import type { Services } from '../../services.ts';
import type { App } from '../app-types.ts';
import { commonErrors } from '../schemas/common.ts';
import { Type } from '../schemas/type.ts';

const Model = Type.Object(
  {
    id: Type.String({ description: 'Its name in requests and answers.' }),
    object: Type.Literal('model'),
    created: Type.Integer({ description: 'When this service started, in seconds since the Unix epoch.' }),
    owned_by: Type.String(),
    dimensions: Type.Integer({ description: 'The size of its vectors.' }),
    max_input_tokens: Type.Integer({ description: 'Tokens of one text that it reads.' }),
    matryoshka_dimensions: Type.Optional(
      Type.Array(Type.Integer(), {
        description: 'Sizes that it was trained to be cut to, for `dimensions`; absent where it states none.',
      }),
    ),
  },
  { title: 'Model' },
);

const ModelsResponse = Type.Object(
  { object: Type.Literal('list'), data: Type.Array(Model) },
  {
    title: 'ModelList',
    'x-response-description': 'The served models; the first serves the requests that name none.',
    examples: [
      {
        object: 'list',
        data: [
          {
            id: 'universal-sentence-encoder-lite',
            object: 'model',
            created: 1_793_525_400,
            owned_by: 'embedgate',
            dimensions: 512,
            max_input_tokens: 128,
          },
        ],
      },
    ],
  },
);

export function modelsRoute(app: App, { models, startedAtMs }: Services): void {
  app.get(
    '/v1/models',
    {
      schema: {
        operationId: 'listModels',
        summary: 'The served models',
        tags: ['Embeddings'],
        security: [{ apiKey: [] }],
        response: { 200: ModelsResponse, ...commonErrors },
      },
    },
    async () => ({
      object: 'list' as const,
      data: models.all.map(({ model }) => ({
        id: model.name,
        object: 'model' as const,
        created: Math.floor(startedAtMs / 1_000),
        owned_by: 'embedgate',
        dimensions: model.dimensions,
        max_input_tokens: model.maxTokens,
        ...(model.matryoshkaDimensions && { matryoshka_dimensions: [...model.matryoshkaDimensions] }),
      })),
    }),
  );
}
