import { LRUCache } from 'lru-cache';
import { type OutputType, outputTypes } from './output-types.ts';

export type EmbeddingFormat = 'float' | 'base64';

/** The form of a memoized JSON: one embedding, or a whole response (`answer`) with one embedding. */
export interface Form {
  readonly what: 'embedding' | 'answer';
  readonly format: EmbeddingFormat;
  readonly type: OutputType;
  readonly dimensions: number;
}

/** Memory per entry besides the JSON: the key, the map entry and the buffer's objects. */
const overheadBytes = 300;

/** The encoded JSON of vectors by the text's cache key, limited in bytes. All forms of a text are evicted together. */
export class EmbeddingMemo {
  readonly #texts: LRUCache<string, ReadonlyMap<number, Buffer>>;

  constructor(maxBytes: number) {
    this.#texts = new LRUCache({
      // For the library, 0 would be no bound.
      maxSize: Math.max(1, Math.floor(maxBytes)),
      sizeCalculation: (forms) =>
        forms.values().reduce((bytes, json) => bytes + json.length + overheadBytes, 0),
    });
  }

  get(key: string, form: Form): Buffer | undefined {
    return this.#texts.get(key)?.get(numberOf(form));
  }

  /** Forgets all forms of a text, because its vector is replaced. */
  delete(key: string): void {
    this.#texts.delete(key);
  }

  set(key: string, form: Form, json: Buffer): void {
    this.#texts.set(key, new Map(this.#texts.get(key)).set(numberOf(form), json));
  }
}

/** Encodes a form as a number: a faster map key than a concatenated string. */
function numberOf({ what, format, type, dimensions }: Form): number {
  const sized = outputTypes.length * dimensions + outputTypes.indexOf(type);
  return 4 * sized + (what === 'answer' ? 2 : 0) + (format === 'base64' ? 1 : 0);
}
