export type Format = 'float' | 'base64';

export interface Access {
  /** With `/v1`. */
  readonly baseUrl: string;
  readonly key: string;
}

export interface Wish {
  readonly dimensions?: number;
  /** One of the client's formats; undefined for its default. */
  readonly format?: Format;
  /** The retries that the client makes by default, also where the tests otherwise make none. */
  readonly retries?: true;
}

/** What a client's user sees of an error. */
export interface Seen {
  /** The error's class, or what else the client uses to distinguish errors. */
  readonly type: string;
  readonly status: number | undefined;
  readonly message: string;
}

/** A client as its users set it up. */
export interface Client {
  readonly name: string;
  /** The formats it can request, its default first. */
  readonly formats: readonly Format[];
  readonly wrongKey: Pick<Seen, 'type' | 'status'>;
  readonly usedUp: Pick<Seen, 'type' | 'status'>;
  readonly unavailable: Pick<Seen, 'type' | 'status'> & { readonly attempts: number };
  /** Returns a vector for each text. */
  embed(
    access: Access,
    input: string | readonly string[],
    wish?: Wish,
  ): Promise<readonly (readonly number[])[]>;
  seen(reason: unknown): Seen;
}

export const model = 'universal-sentence-encoder-lite';

/** Returns the vector, which base64 holds as float32 in little-endian order. */
export function numbersOf(embedding: readonly number[] | string): readonly number[] {
  if (typeof embedding !== 'string') return embedding;
  const bytes = Buffer.from(embedding, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i));
}
