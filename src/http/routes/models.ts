import { listView } from '../../api/common.ts';
import { ModelListResponse, ModelParams, ModelResponse, modelView } from '../../api/model.ts';
import { namesOf } from '../../embeddings/model-catalog.ts';
import { ServiceError } from '../../errors.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';

export function modelsRoute(app: App, { models, startedAtMs }: Services): void {
  const find = (id: string) => {
    const served = models.get(id);
    if (served) return modelView(id, served.model, startedAtMs);
    throw new ServiceError('not_found', 'No such model');
  };

  app.get(
    '/v1/models',
    {
      config: { access: 'key' },
      schema: {
        operationId: 'listModels',
        summary: 'List the served models',
        description: 'The aliases of a model are listed after it.',
        response: { 200: ModelListResponse },
      },
    },
    async () =>
      listView(
        models.all.flatMap((served) => namesOf(served).map((id) => modelView(id, served.model, startedAtMs))),
      ),
  );

  app.get(
    '/v1/models/:model',
    {
      config: { access: 'key' },
      schema: {
        operationId: 'getModel',
        summary: 'Get a served model',
        params: ModelParams,
        response: { 200: ModelResponse },
      },
    },
    async (request) => find(request.params.model),
  );
  // Model names on a hub contain a slash, which clients do not encode.
  app.get<{ Params: { '*': string } }>('/v1/models/*', { schema: { hide: true } }, async (request) =>
    find(request.params['*']),
  );
}
