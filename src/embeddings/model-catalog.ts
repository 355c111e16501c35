import type { Batcher } from './batcher.ts';
import type { ServedModel } from './served-model.ts';

/** The models that are served: none until they are loaded, then at least one. */
export class ModelCatalog {
  /** To be awaited before anything is asked of a model. Rejects with what kept one from loading. */
  readonly loaded: Promise<void>;
  #models: readonly ServedModel[] = [];
  #byName: ReadonlyMap<string, ServedModel> = new Map();
  #default: ServedModel | undefined;

  /** Names and aliases differ. The first model is the default. */
  constructor(loading: Promise<readonly ServedModel[]>) {
    this.loaded = loading.then((models) => {
      [this.#default] = models;
      this.#models = models;
      this.#byName = new Map(models.flatMap((served) => namesOf(served).map((name) => [name, served])));
    });
    // Whoever awaits it is told; until then, other things may be under way.
    this.loaded.catch(() => {});
  }

  /** Serves the requests that name none. */
  get default(): ServedModel {
    if (!this.#default) throw new Error('no model is loaded');
    return this.#default;
  }

  /** The default first. */
  get all(): readonly ServedModel[] {
    return this.#models;
  }

  /** Finds a model by its name or one of its aliases. */
  get(name: string): ServedModel | undefined {
    return this.#byName.get(name);
  }

  /** Of all models' queues together. */
  get queue(): Batcher['stats'] {
    const queues = this.all.map(({ queue }) => queue);
    const sum = (figure: keyof Batcher['stats']) => queues.reduce((total, queue) => total + queue[figure], 0);
    return {
      admittedTokens: sum('admittedTokens'),
      waitingTexts: sum('waitingTexts'),
      runningBatches: sum('runningBatches'),
    };
  }

  /** Waits for models that are still loading. */
  async close(): Promise<void> {
    await this.loaded.catch(() => {});
    await Promise.all(this.all.map((served) => served.close()));
  }
}

/** The model's own name, then its aliases. */
export function namesOf({ model, aliases }: ServedModel): string[] {
  return [model.name, ...aliases];
}
