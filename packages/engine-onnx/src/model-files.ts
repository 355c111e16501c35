/** Finds the files of a model, and pulls and converts them first if needed. */
import { resolve } from 'node:path';
import { type Facts, type ModelOverrides, readModelCard } from '../../engine/src/index.ts';
import { messageOf } from '../../small/src/errors.ts';
import { builtinDirectory } from './builtin.ts';
import { ensureHubModel, type HubModelRequest, listHubModels, type StoredModel } from './hub/hub-model.ts';
import { refuseConverted, refuseDamaged } from './int8/conversion-record.ts';
import { ensureInt8Model, type Int8Model, type Int8Request } from './int8/convert-model.ts';
import { convertedDtype, graphFiles } from './model-file.ts';
import { builtinOriginal, type HubAccess, type OnnxSettings } from './settings.ts';

export interface ModelFilesContext {
  readonly dataDir: string;
  readonly hub: HubAccess;
  /** Logs the progress of a download or a conversion. */
  readonly info: (what: string) => void;
  /** Stops what waits for others: downloads, and the requests to upstreams. Conversions continue. */
  readonly signal?: AbortSignal | undefined;
}

/** As the card of the original states them. */
const builtinFacts: Facts = { languages: ['en'], license: 'Apache-2.0' };

/** Returns the model's directory, after pulling the model and converting it to int8 if needed, and how to read it. */
export async function filesOf(
  settings: OnnxSettings,
  context: ModelFilesContext,
): Promise<{ directory: string; overrides: ModelOverrides; facts: Facts }> {
  const original = await originalOf(settings, context);
  // Throws before anything waits for the content of a pipe.
  graphFiles(original);
  await refuseDamaged(original);
  const isBuiltin = settings.place.kind === 'builtin';
  const card = isBuiltin ? builtinFacts : await readModelCard(original);
  const facts = { ...card, ...settings.facts };
  const { overrides } = settings;
  const { dtype } = overrides;
  if (dtype !== convertedDtype) {
    if (dtype !== undefined) refuseConverted(original, dtype, isBuiltin ? builtinOriginal : undefined);
    return { directory: original, overrides, facts };
  }
  const { directory } = await ensureInt8Model({
    directory: original,
    dataDir: context.dataDir,
    overrides,
    onProgress: logQuarters('converted to int8:', (what) => context.info(`model ${settings.name}: ${what}`)),
  });
  // A converted directory has one graph.
  return { directory, overrides: { ...overrides, dtype: undefined }, facts };
}

async function originalOf(
  { place, overrides }: OnnxSettings,
  { dataDir, hub, info, signal }: ModelFilesContext,
): Promise<string> {
  if (place.kind === 'builtin') return builtinDirectory();
  if (place.kind === 'directory') return place.path;
  const { id, revision } = place;
  try {
    return await ensureHubModel({
      dataDir,
      ...hub,
      id,
      revision: revision ?? undefined,
      dtype: publishedDtype(overrides.dtype),
      onProgress: logQuarters('pulled', (what) => info(`model ${id}: ${what}`)),
      onBusy: info,
      onWait: () => info(`model ${id} is already being pulled; waiting for that`),
      signal,
    });
  } catch (reason) {
    // The hub's errors name a file or a revision, not the model.
    throw new Error(`model ${id}: ${messageOf(reason)}`, { cause: reason });
  }
}

/** Returns which graph to pull: int8 is made from the one of full precision. */
const publishedDtype = (dtype: string | undefined): string | undefined =>
  dtype === convertedDtype ? undefined : dtype;

/** Reports the start and each quarter of a download or a conversion. */
function logQuarters(what: string, log: (what: string) => void): (done: number, total: number) => void {
  let logged = -1;
  return (done, total) => {
    const quarter = Math.floor((4 * done) / Math.max(1, total));
    if (quarter <= logged) return;
    logged = quarter;
    log(`${what} ${25 * quarter} % of ${(total / 1e6).toFixed(1)} MB`);
  };
}

export type { StoredModel };

/** Pulls a model unless its current revision is already there. Throws a HubError. */
export async function pullModel(request: HubModelRequest): Promise<StoredModel> {
  return storedModel(request.dataDir, await ensureHubModel({ ...request, refresh: true }));
}

/** Converts a pulled model to int8 unless that was done before. */
export async function convertPulled(request: Int8Request): Promise<StoredModel> {
  return storedModel(request.dataDir, (await ensureInt8Model(request)).directory);
}

async function storedModel(dataDir: string, directory: string): Promise<StoredModel> {
  return (await listHubModels(dataDir)).find((model) => resolve(model.directory) === resolve(directory))!;
}

export interface ConversionRequest extends ModelFilesContext {
  readonly settings: OnnxSettings;
  readonly minCorrelation: number | undefined;
  readonly onProgress: (done: number, total: number) => void;
}

/** Converts a model to int8, after pulling it if needed. */
export async function convertModel({ settings, ...request }: ConversionRequest): Promise<Int8Model> {
  const { overrides } = settings;
  const directory = await originalOf(settings, request);
  return ensureInt8Model({ ...request, directory, overrides });
}

/** Returns the pulled models, sorted by id. */
export const listModels = (dataDir: string): Promise<StoredModel[]> => listHubModels(dataDir);
