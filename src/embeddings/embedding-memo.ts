import { Lru } from '../lib/lru.ts';

export type EmbeddingFormat = 'float' | 'base64';

/** What of an answer is remembered: one embedding, or a whole answer with one. */
export interface Form {
  readonly what: 'embedding' | 'answer';
  readonly format: EmbeddingFormat;
  readonly dimensions: number;
}

/** The key, the map's entry and the buffer's own objects. */
const overheadBytes = 300;

/** The bytes of JSON that was made of vectors, by the text's cache key; bounded by bytes, all forms of a text leave together. */
export class EmbeddingMemo {
  readonly #texts: Lru<ReadonlyMap<number, Buffer>>;

  constructor(maxBytes: number) {
    this.#texts = new Lru(maxBytes, (forms) =>
      forms.values().reduce((bytes, json) => bytes + json.length + overheadBytes, 0),
    );
  }

  get count(): number {
    return this.#texts.count;
  }

  get bytes(): number {
    return this.#texts.bytes;
  }

  get(key: string, form: Form): Buffer | undefined {
    return this.#texts.get(key)?.get(numberOf(form));
  }

  set(key: string, form: Form, json: Buffer): void {
    this.#texts.set(key, new Map(this.#texts.get(key)).set(numberOf(form), json));
  }
}

/** A number is found faster than a string that has to be put together. */
function numberOf({ what, format, dimensions }: Form): number {
  return 4 * dimensions + (what === 'answer' ? 2 : 0) + (format === 'base64' ? 1 : 0);
}
