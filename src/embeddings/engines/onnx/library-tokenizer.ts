/** Tokenizers of every kind that Hugging Face's library does: WordPiece, BPE, Unigram with special tokens. */
import { Tokenizer as Library } from '@huggingface/tokenizers';
import { isObject, type JsonObject } from './json-file.ts';
import { textRepair, unburden } from './library-repairs.ts';
import { cutMarks } from './normalize.ts';
import type { Tokens } from './unigram.ts';

// The library's Unigram and BPE hold objects for each character of a text at once: a megabyte takes them gigabytes. A piece
// of this length takes 40 ms and tens of megabytes at worst.
const minPieceUnits = 16_384;
// More than a language's texts have on average, so that the first piece fills the model: then the cut changes no id that is
// kept, wherever it falls.
const unitsPerToken = 4;

export class LibraryTokenizer {
  readonly #library: Library;
  readonly #before: readonly number[];
  readonly #after: readonly number[];
  readonly #isLinear: boolean;
  /** Of which those in a row count as one; −1 where each counts. */
  readonly #fusedId: number;
  readonly #repair: (text: string) => string;

  /** Throws when the library lacks a part that `json` asks for, or when there is no place for a text in its template. */
  constructor(json: JsonObject, config: JsonObject) {
    this.#library = new Library(json, config);
    this.#fusedId = unburden(this.#library);
    this.#repair = textRepair(json);
    const [before, after] = this.#template(json);
    this.#before = before;
    this.#after = after;
    // WordPiece looks at words of 100 characters at most, and could not be cut: a longer one is one unknown token.
    this.#isLinear = isObject(json.model) && json.model.type === 'WordPiece';
  }

  encode(text: string, maxTokens: number): Tokens {
    const room = Math.max(0, maxTokens - this.#before.length - this.#after.length);
    const kept: number[] = [];
    let previous = -1;
    let fullTokenCount = this.#before.length + this.#after.length;
    const pieceUnits = this.#isLinear
      ? Number.POSITIVE_INFINITY
      : Math.max(minPieceUnits, unitsPerToken * maxTokens);
    for (const piece of pieces(this.#repair(cutMarks(text)), pieceUnits)) {
      for (const id of this.#library.encode(piece, { add_special_tokens: false }).ids) {
        const isFused = id === this.#fusedId && id === previous;
        previous = id;
        if (isFused) continue;
        fullTokenCount += 1;
        if (kept.length < room) kept.push(id);
      }
    }
    return { ids: [...this.#before, ...kept, ...this.#after].slice(0, maxTokens), fullTokenCount };
  }

  /** The ids of the special tokens before and after a text. */
  #template(json: JsonObject): readonly [number[], number[]] {
    const marker = '\u{10ffff}';
    const processed = this.#library.post_processor?.([marker], null, true) ?? { tokens: [marker] };
    const { tokens, token_type_ids: types = [] } = processed as {
      tokens: string[];
      token_type_ids?: number[];
    };
    const at = tokens.indexOf(marker);
    if (at < 0 || types.some((type) => type !== 0)) {
      throw new Error(
        `tokenizer.json: this post_processor is not supported: ${JSON.stringify(json.post_processor)}`,
      );
    }
    const idsOf = (names: string[]): number[] =>
      names.map((name) => {
        const id = this.#library.token_to_id(name);
        if (id === undefined)
          throw new Error(`tokenizer.json: the special token ${JSON.stringify(name)} has no id`);
        return id;
      });
    return [idsOf(tokens.slice(0, at)), idsOf(tokens.slice(at + 1))];
  }
}

/** `text` in pieces of at most `maxUnits` UTF-16 units, each but the first beginning with a space where there is one. */
function* pieces(text: string, maxUnits: number): Generator<string> {
  let start = 0;
  while (text.length - start > maxUnits) {
    const end = endOfPiece(text, start, start + maxUnits);
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

/** Before the last space that stands between words, as tokenizers cut there too; else between two characters. */
function endOfPiece(text: string, start: number, limit: number): number {
  const middle = start + (limit - start) / 2;
  for (let at = limit; at > middle; at--) {
    if (text[at] === ' ' && /\S/.test(text[at - 1]!)) return at;
  }
  const isInsidePair = text.codePointAt(limit - 1)! > 0xffff;
  return isInsidePair ? limit - 1 : limit;
}
