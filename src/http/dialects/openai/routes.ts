import type { Services } from '../../../service/services.ts';
import type { App } from '../../app-types.ts';
import { embeddingsRoute } from '../../routes/embeddings.ts';
import { modelsRoute } from '../../routes/models.ts';

/** Registers OpenAI's routes, and Azure's, whose path names the model. */
export function openaiRoutes(app: App, services: Services): void {
  for (const url of ['/openai/v1/embeddings', '/openai/deployments/:model/embeddings'])
    embeddingsRoute(app, services, { url, hide: true });
  modelsRoute(app, services, { url: '/openai/v1/models', hide: true });
}
