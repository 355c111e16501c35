/** The models of a data directory, for whoever may not know how each is kept. */
import { ensureHubModel, type HubModelRequest, listHubModels, type StoredModel } from './hub/hub-model.ts';

export type { StoredModel };

/** Pulls a model, or finds that it is there. Throws a HubError. */
export async function pullModel(request: HubModelRequest): Promise<StoredModel> {
  const directory = await ensureHubModel({ ...request, refresh: true });
  const models = await listHubModels(request.dataDir);
  return models.find((model) => model.directory === directory)!;
}

/** Those that were pulled, by id. */
export const listModels = (dataDir: string): Promise<StoredModel[]> => listHubModels(dataDir);
