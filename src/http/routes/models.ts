import type { FastifyRequest } from 'fastify';
import { listView } from '../../api/common.ts';
import { ModelListResponse, ModelParams, ModelResponse, modelView } from '../../api/model.ts';
import { offersOf } from '../../embeddings/model-catalog.ts';
import { ServiceError } from '../../errors.ts';
import { mayUse } from '../../keys/rights.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';

const stated = { access: 'identified', isLenient: true } as const;

/** `hide`: the description of the API leaves the routes out. */
export function modelsRoute(
  app: App,
  { models, startedAtMs, clock }: Services,
  { url = '/v1/models', hide = false } = {},
): void {
  const isShown = ({ caller }: FastifyRequest, name: string) => !caller || mayUse(caller, name);
  const find = (request: FastifyRequest, id: string) => {
    const offer = models.get(id);
    if (offer && isShown(request, id)) return modelView(offer, startedAtMs, clock.now());
    throw new ServiceError('not_found', 'No such model', { fault: 'unknown model' });
  };

  app.get(
    url,
    described(stated, 'listModels', 'List the served models', {
      hide,
      description: 'The aliases of a model are listed after it. A key gets those that it may use.',
      response: { 200: ModelListResponse },
    }),
    async (request) => {
      const offers = models.all.flatMap(offersOf).filter(({ alias }) => isShown(request, alias.name));
      return listView(offers.map((offer) => modelView(offer, startedAtMs, clock.now())));
    },
  );

  app.get(
    `${url}/:model`,
    described(stated, 'getModel', 'Get a served model', {
      hide,
      params: ModelParams,
      response: { 200: ModelResponse },
    }),
    async (request) => find(request, request.params.model),
  );
  // Model names on a hub contain a slash, which clients do not encode.
  app.get<{ Params: { '*': string } }>(
    `${url}/*`,
    { config: stated, schema: { hide: true } },
    async (request) => find(request, request.params['*']),
  );
}
