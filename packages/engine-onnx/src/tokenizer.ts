/** Tokenizes texts with the Rust library `tokenizers`, which works in threads of libuv's pool. */
import { type Encoding, Tokenizer as Library } from 'tokenizers';
import { cutLongest, splitPair } from '../../engine/src/index.ts';
import { expandedUnits } from '../../small/src/expanded-units.ts';
import { fieldsOf, type JsonObject } from '../../small/src/json.ts';
import type { TokenizedText } from './tokenized-text.ts';

/** `start` and `stop` count Unicode code points; null: a special token, or unknown. */
export interface Token {
  readonly id: number;
  readonly text: string | null;
  readonly special: boolean;
  readonly start: number | null;
  readonly stop: number | null;
}

/** The tokens of a text without special ones: as many as have room, and the number of all as in `PreparedText`. */
interface FirstTokens {
  readonly ids: readonly number[];
  readonly count: number;
}

/** Special tokens, with the type of each. */
type Specials = readonly { readonly id: number; readonly type: number }[];

/** What surrounds the tokens of a query and of a document. */
interface PairTemplate {
  readonly before: Specials;
  readonly between: Specials;
  readonly after: Specials;
  readonly queryType: number;
  readonly documentType: number;
}

export interface TokenizerOptions {
  /** Maximum number of tokens of a text, including special ones. */
  readonly maxTokens: number;
  /** Whether texts are lowercased first. */
  readonly lowercase: boolean;
  /** Whether each text is a pair. */
  readonly hasPairs?: boolean;
}

// The library keeps everything about each token of a text, and a call can't be stopped. So it gets only the beginning
// of a long text: at first this many UTF-16 units per token, then twice as many, and so on.
const firstUnitsPerToken = 8;
// What is beyond is never read. Part of the fingerprint, by `computationVersion`.
const maxUnitsPerToken = 16;
const leastMaxUnits = 65_536;
/** More than the library holds for each UTF-16 unit that it reads. */
const bytesPerUnit = 256;
/** Has tokens with any vocabulary, and a letter that hardly any has: for some files, the library throws then. */
const sampleText = 'a 1 é 漢 𒀀';
/** Numbers of words and of UTF-16 units before a cut whose tokens may depend on what follows it. */
const openWords = 2;
const leastOpenUnits = 32;

/** Returns the number of UTF-16 units that are read of a text. */
export const readUnits = (maxTokens: number): number => Math.max(leastMaxUnits, maxUnitsPerToken * maxTokens);

export class Tokenizer {
  readonly #library: Library;
  readonly #options: TokenizerOptions;
  /** The special tokens around each text. */
  readonly #before: readonly number[];
  readonly #after: readonly number[];
  /** Undefined: texts are no pairs. */
  readonly #pair: PairTemplate | undefined;
  readonly #firstUnits: number;
  readonly #openUnits: number;

  /** Opens the tokenizer that `source`, a Hugging Face `tokenizer.json`, describes. Throws when it can't be read. */
  static async open(source: string, json: JsonObject, options: TokenizerOptions): Promise<Tokenizer> {
    const library = Library.fromString(source);
    library.disableTruncation();
    library.disablePadding();
    const text = await library.encode(sampleText, null);
    const pair = options.hasPairs ? await library.encode(sampleText, sampleText) : undefined;
    return new Tokenizer(library, { text, pair }, json, options);
  }

  private constructor(
    library: Library,
    samples: { readonly text: Encoding; readonly pair: Encoding | undefined },
    json: JsonObject,
    options: TokenizerOptions,
  ) {
    this.#library = library;
    this.#options = options;
    const [ids, isSpecial] = [samples.text.getIds(), samples.text.getSpecialTokensMask()];
    if (!isSpecial.includes(0)) throw new Error(`"${sampleText}" has no token`);
    this.#before = ids.slice(0, isSpecial.indexOf(0));
    this.#after = ids.slice(isSpecial.lastIndexOf(0) + 1);
    this.#pair = samples.pair && templateOf(samples.pair, ids.length - this.specialTokens);
    // Without a pre-tokenizer, the whole text is one word, so that no cut is certain.
    this.#firstUnits = json.pre_tokenizer
      ? firstUnitsPerToken * options.maxTokens
      : readUnits(options.maxTokens);
    const added = Array.isArray(json.added_tokens) ? json.added_tokens.map(fieldsOf) : [];
    this.#openUnits = Math.max(leastOpenUnits, ...added.map(({ content }) => String(content).length));
  }

  /**
   * Returns the first tokens of each text, as many as the limit allows. They are those of the text's first `readUnits`
   * units. `fullTokenCount` is infinite if there are more tokens, or if the text is longer than what is read.
   */
  async encode(texts: readonly string[]): Promise<TokenizedText[]> {
    if (this.#pair) return this.#encodePairs(texts, this.#pair);
    const { maxTokens } = this.#options;
    const firsts = await this.#first(texts, Math.max(0, maxTokens - this.specialTokens));
    return firsts.map(({ ids, count }) => {
      const fitting = [...this.#before, ...ids, ...this.#after].slice(0, maxTokens);
      return tokenizedText(fitting, count + this.specialTokens);
    });
  }

  /** Cuts the longer of query and document first, as the library transformers does. */
  async #encodePairs(pairs: readonly string[], template: PairTemplate): Promise<TokenizedText[]> {
    const { before, between, after, queryType, documentType } = template;
    const specials = before.length + between.length + after.length;
    const room = Math.max(0, this.#options.maxTokens - specials);
    const parts = pairs.map(splitPair);
    const queries = [...new Set(parts.map(([query]) => query))];
    const firsts = await this.#first([...queries, ...parts.map(([, document]) => document)], room);
    const ofQuery = new Map(queries.map((query, i) => [query, firsts[i]!]));
    return parts.map(([text], i) => {
      const [query, document] = [ofQuery.get(text)!, firsts[queries.length + i]!];
      const [ofQueries, ofDocument] = cutLongest(
        [query.ids.length, document.ids.length],
        room,
        query.count > document.count,
      );
      const tokens = [
        ...before,
        ...query.ids.slice(0, ofQueries).map((id) => ({ id, type: queryType })),
        ...between,
        ...document.ids.slice(0, ofDocument).map((id) => ({ id, type: documentType })),
        ...after,
      ].slice(0, this.#options.maxTokens);
      const pair = tokenizedText(
        tokens.map(({ id }) => id),
        query.count + document.count + specials,
      );
      return { ...pair, typeIds: Int32Array.from(tokens, ({ type }) => type) };
    });
  }

  /** Returns the first `room` tokens of each text. */
  async #first(texts: readonly string[], room: number): Promise<FirstTokens[]> {
    const wanted = texts.map((text) => {
      const read = cutAt(text.toWellFormed(), readUnits(this.#options.maxTokens));
      const isWhole = read.length === text.length;
      return { read: this.#options.lowercase ? read.toLowerCase() : read, isWhole };
    });
    const parts = wanted.map(({ read }) => beforeWord(read, this.#firstUnits));
    const encodings = await this.#encode(parts);
    const firsts: FirstTokens[] = [];
    // One text after the other, so that long texts of one client leave the library's threads to others.
    for (const [i, { read, isWhole }] of wanted.entries()) {
      let [part, encoding] = [parts[i]!, encodings[i]!];
      let isCertain = this.#isCertain(encoding, part, room);
      for (let units = 2 * this.#firstUnits; part.length < read.length && !isCertain; units *= 2) {
        part = beforeWord(read, units);
        [encoding] = (await this.#encode([part])) as [Encoding];
        isCertain = this.#isCertain(encoding, part, room);
      }
      const isKnown = isWhole && part.length === read.length;
      firsts.push(firstOf(encoding, room, isKnown ? encoding.getLength() : Number.POSITIVE_INFINITY));
    }
    return firsts;
  }

  /** Returns all tokens of texts that are no longer than `readUnits`. */
  async tokens(texts: readonly string[], addSpecialTokens: boolean): Promise<Token[][]> {
    const special = (id: number): Token => {
      return { id, text: this.pieceOf(id), special: true, start: null, stop: null };
    };
    const [before, after] = addSpecialTokens ? [this.#before, this.#after] : [[], []];
    const { lowercase } = this.#options;
    const read = texts.map((text) => (lowercase ? text.toLowerCase() : text).toWellFormed());
    return (await this.#encode(read)).map((encoding, i) => {
      const characters = [...read[i]!];
      // The lower case of "İ" has two characters, and moves all that follow.
      const isMoved = characters.length !== [...texts[i]!].length;
      const offsets = encoding.getOffsets() as [number, number][];
      const tokens = encoding.getIds().map((id, at) => {
        const [start, stop] = isMoved ? [null, null] : offsets[at]!;
        return { id, text: characters.slice(...offsets[at]!).join(''), special: false, start, stop };
      });
      return [...before.map(special), ...tokens, ...after.map(special)];
    });
  }

  /** Number of special tokens around each text. */
  get specialTokens(): number {
    return this.#before.length + this.#after.length;
  }

  /** Whether each text ends with a special token. */
  get appendsToken(): boolean {
    return this.#after.length > 0;
  }

  /** Returns a token as the vocabulary has it, such as `##ing`. */
  pieceOf(id: number): string | null {
    return this.#library.idToToken(id);
  }

  async #encode(parts: readonly string[]): Promise<Encoding[]> {
    const encodings = await this.#library.encodeBatch([...parts], { addSpecialTokens: false });
    // V8 knows nothing of the library's memory, and would let gigabytes of it wait for a garbage collection. A buffer
    // of about twice that size, which is never touched, makes it collect in time.
    Buffer.allocUnsafeSlow(parts.reduce((sum, part) => sum + expandedUnits(part), 0) * bytesPerUnit);
    return encodings;
  }

  /** Reports whether the tokens that fit are the same for every text that begins with `part`. */
  #isCertain(encoding: Encoding, part: string, room: number): boolean {
    const [at, last] = [room - 1, encoding.getLength() - 1];
    if (at < 0 || last <= at) return false;
    const [word, lastWord] = [encoding.tokenToWord(at), encoding.tokenToWord(last)];
    if (word == null || lastWord == null || lastWord - word < openWords) return false;
    const [end, lastEnd] = [encoding.tokenToChars(at)![1], encoding.tokenToChars(last)![1]];
    // They count characters, of which there are at most as many as units.
    return lastEnd - end >= part.length - certainUnits(part, this.#openUnits);
  }
}

const tokenizedText = (ids: readonly number[], fullTokenCount: number): TokenizedText => ({
  ids: Int32Array.from(ids),
  tokenCount: ids.length,
  fullTokenCount,
  isCut: fullTokenCount > ids.length,
});

function firstOf(encoding: Encoding, room: number, count: number): FirstTokens {
  // The library's `truncate` also copies everything about all other tokens.
  return { ids: encoding.getIds().slice(0, room), count };
}

/** Reads the template from a pair of texts that have `length` tokens each. */
function templateOf(pair: Encoding, length: number): PairTemplate {
  const types = pair.getTypeIds();
  const tokens = pair.getIds().map((id, i) => ({ id, type: types[i]! }));
  const isSpecial = pair.getSpecialTokensMask();
  const query = isSpecial.indexOf(0);
  const end = isSpecial.lastIndexOf(0) + 1;
  return {
    before: tokens.slice(0, query),
    between: tokens.slice(query + length, end - length),
    after: tokens.slice(end),
    queryType: types[query]!,
    documentType: types[end - 1]!,
  };
}

/** Returns at most `units` UTF-16 units of a well-formed text, and no half of a pair. */
const cutAt = (text: string, units: number): string => text.slice(0, units).replace(/[\ud800-\udbff]$/, '');

/**
 * Cuts a text at the last space between two ASCII letters or digits in the second half of its first `units` units,
 * because nothing reaches across such a space. Cuts at `units` if there is none.
 */
function beforeWord(text: string, units: number): string {
  if (units >= text.length) return text;
  const half = units >> 1;
  const match = /^.*[A-Za-z0-9](?= [A-Za-z0-9])/s.exec(text.slice(half, units));
  return match ? text.slice(0, half + match[0].length) : cutAt(text, units);
}

/**
 * Returns how many units of `part` can't belong to a token that only what follows `part` completes. An added token can
 * include all white space before it, marks are sorted, and digits can be grouped from the right.
 */
function certainUnits(part: string, openUnits: number): number {
  let units = part.length - openUnits;
  while (units > 0 && /[\s\p{M}\p{N}]/u.test(part[units - 1]!)) units -= 1;
  return units;
}
