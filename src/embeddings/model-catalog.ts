import type { Alias } from '../../packages/engine/src/index.ts';
import type { BatcherStats } from './batcher.ts';
import type { ServedModel } from './served-model.ts';

/** A served model under one of its names. */
export interface Offer {
  readonly served: ServedModel;
  readonly alias: Alias;
}

/** What a request wants of a model. */
export type Task = 'embed' | 'rerank';

/** The served models. Empty until loading ends, then at least one for embeddings, unless none is to be loaded. */
export class ModelCatalog {
  /** Resolves when the models can be used. Rejects with the error that kept a model from loading. */
  readonly loaded: Promise<void>;
  #models: readonly ServedModel[] = [];
  #byName: ReadonlyMap<string, Offer> = new Map();
  #byTask: Readonly<Record<Task, readonly Offer[]>> = { embed: [], rerank: [] };

  /** All names and aliases must be distinct. The first model of each task is its default. */
  constructor(loading: Promise<readonly ServedModel[]>) {
    this.loaded = loading.then((models) => {
      this.#models = models;
      const offers = models.flatMap(offersOf);
      const of = (task: Task) => offers.filter(({ served: { model } }) => (model.task ?? 'embed') === task);
      this.#byTask = { embed: of('embed'), rerank: of('rerank') };
      if (models.length > 0 && this.for('embed').length === 0)
        throw new Error('all models are for reranking; add one for embeddings');
      this.#byName = new Map(offers.map((offer) => [offer.alias.name, offer]));
    });
    // Prevents an unhandled rejection before a caller awaits `loaded`, which still rejects.
    this.loaded.catch(() => {});
  }

  /** The model for embeddings for requests that don't name one. */
  get default(): Offer {
    const [first] = this.for('embed');
    if (!first) throw new Error('no model is loaded');
    return first;
  }

  /** Returns the models for a task, by name and by alias, the default first. */
  for(task: Task): readonly Offer[] {
    return this.#byTask[task];
  }

  /** All models, the default first. */
  get all(): readonly ServedModel[] {
    return this.#models;
  }

  /** Returns the model with this name or alias. */
  get(name: string): Offer | undefined {
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

/** Returns the model under its own name, then under its aliases. */
export const offersOf = (served: ServedModel): Offer[] =>
  [{ name: served.model.name }, ...served.aliases].map((alias) => ({ served, alias }));
