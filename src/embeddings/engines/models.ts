/** Lists and pulls the models of a data directory, without exposing how they are stored. */
import { ensureHubModel, type HubModelRequest, listHubModels, type StoredModel } from './hub/hub-model.ts';

export type { StoredModel };

/** Pulls a model unless its current revision is already there. Throws a HubError. */
export async function pullModel(request: HubModelRequest): Promise<StoredModel> {
  const directory = await ensureHubModel({ ...request, refresh: true });
  const models = await listHubModels(request.dataDir);
  return models.find((model) => model.directory === directory)!;
}

/** Returns the pulled models, sorted by id. */
export const listModels = (dataDir: string): Promise<StoredModel[]> => listHubModels(dataDir);
