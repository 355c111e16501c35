import type { BatcherStats } from './batcher.ts';
import type { ServedModel } from './served-model.ts';

/** The served models. Empty until loading ends, then at least one. */
export class ModelCatalog {
  /** Resolves when the models can be used. Rejects with the error that kept a model from loading. */
  readonly loaded: Promise<void>;
  #models: readonly ServedModel[] = [];
  #byName: ReadonlyMap<string, ServedModel> = new Map();
  #default: ServedModel | undefined;

  /** All names and aliases must be distinct. The first model is the default. */
  constructor(loading: Promise<readonly ServedModel[]>) {
    this.loaded = loading.then((models) => {
      [this.#default] = models;
      this.#models = models;
      this.#byName = new Map(models.flatMap((served) => namesOf(served).map((name) => [name, served])));
    });
    // Prevents an unhandled rejection before a caller awaits `loaded`, which still rejects.
    this.loaded.catch(() => {});
  }

  /** The model for requests that don't name one. */
  get default(): ServedModel {
    if (!this.#default) throw new Error('no model is loaded');
    return this.#default;
  }

  /** All models, the default first. */
  get all(): readonly ServedModel[] {
    return this.#models;
  }

  /** Returns the model with this name or alias. */
  get(name: string): ServedModel | undefined {
    return this.#byName.get(name);
  }

  /** The sum of all models' queues. */
  get queue(): BatcherStats {
    const queues = this.all.map(({ queue }) => queue);
    const sum = (figure: keyof BatcherStats) => queues.reduce((total, queue) => total + queue[figure], 0);
    return {
      admittedTokens: sum('admittedTokens'),
      admittedOrganizations: sum('admittedOrganizations'),
      waitingTexts: sum('waitingTexts'),
      waitingOrganizations: sum('waitingOrganizations'),
      runningBatches: sum('runningBatches'),
    };
  }

  /** Closes all models, after waiting for those that are still loading. */
  async close(): Promise<void> {
    await this.loaded.catch(() => {});
    await Promise.all(this.all.map((served) => served.close()));
  }
}

/** Returns the model's name, then its aliases. */
export function namesOf({ model, aliases }: ServedModel): string[] {
  return [model.name, ...aliases];
}
