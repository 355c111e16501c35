import type { Batcher } from './batcher.ts';
import type { ServedModel } from './served-model.ts';

/** The models that are served; there is at least one. */
export class ModelCatalog {
  /** Serves the requests that name none. */
  readonly default: ServedModel;
  readonly #byName: ReadonlyMap<string, ServedModel>;

  /** Names differ. The first model is the default. */
  constructor(models: readonly ServedModel[]) {
    const [first] = models;
    if (!first) throw new Error('no model is served');
    this.default = first;
    this.#byName = new Map(models.map((served) => [served.model.name, served]));
  }

  /** The default first. */
  get all(): ServedModel[] {
    return [...this.#byName.values()];
  }

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

  async close(): Promise<void> {
    await Promise.all(this.all.map((served) => served.close()));
  }
}
