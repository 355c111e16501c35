import { Type } from 'typebox';
import type { Services } from '../../services.ts';
import type { App } from '../app-types.ts';
import { commonErrors } from '../schemas/common.ts';

const ModelsResponse = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      object: Type.Literal('model'),
      created: Type.Integer(),
      owned_by: Type.String(),
      dimensions: Type.Integer(),
      max_input_tokens: Type.Integer(),
    }),
  ),
});

export function modelsRoute(app: App, { model, startedAtMs }: Services): void {
  app.get(
    '/v1/models',
    {
      schema: {
        summary: 'The served models',
        tags: ['Embeddings'],
        security: [{ apiKey: [] }],
        response: { 200: ModelsResponse, ...commonErrors },
      },
    },
    async () => ({
      object: 'list' as const,
      data: [
        {
          id: model.name,
          object: 'model' as const,
          created: Math.floor(startedAtMs / 1_000),
          owned_by: 'embedgate',
          dimensions: model.dimensions,
          max_input_tokens: model.maxTokens,
        },
      ],
    }),
  );
}
