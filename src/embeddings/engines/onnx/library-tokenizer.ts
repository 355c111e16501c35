/** Tokenizers of every kind that Hugging Face's library does: WordPiece, BPE, Unigram with special tokens. */
import { Tokenizer as Library } from '@huggingface/tokenizers';
import { isObject, type JsonObject } from './json-file.ts';
import { textRepair, unburden } from './library-repairs.ts';
import { cutMarks, isInsidePair } from './normalize.ts';
import { TokenCollector } from './token-collector.ts';
import type { TokenLimits, Tokens } from './tokens.ts';

// The library's Unigram and BPE hold objects for each character of a text at once: a megabyte takes them gigabytes. A piece
// of this length takes 40 ms and tens of megabytes at worst.
const minPieceUnits = 16_384;
// More than a language's texts have on average, so that the first piece fills the model: then the cut changes no id that is
// kept, wherever it falls.
const unitsPerToken = 4;
// WordPiece looks at one word after the other, so that any cut between words is exact.
const wordPieceUnits = 4_096;
// A longer word than this is several unknown tokens. In the original it is one.
const maxWordUnits = 65_536;

export class LibraryTokenizer {
  readonly #library: Library;
  readonly #before: readonly number[];
  readonly #after: readonly number[];
  readonly #isWordPiece: boolean;
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
    this.#isWordPiece = isObject(json.model) && json.model.type === 'WordPiece';
  }

  *encode(text: string, { maxTokens, maxCounted }: TokenLimits): Generator<void, Tokens> {
    const specialCount = this.#before.length + this.#after.length;
    const collector = new TokenCollector(
      { maxTokens: Math.max(0, maxTokens - specialCount), maxCounted: maxCounted - specialCount },
      this.#fusedId,
    );
    for (const piece of this.#isWordPiece ? wordPieces(text) : pieces(text, maxTokens)) {
      const repaired = this.#repair(cutMarks(piece));
      for (const id of this.#library.encode(repaired, { add_special_tokens: false }).ids) collector.add(id);
      if (collector.isFull) break;
      yield;
    }
    const { ids, fullTokenCount } = collector.tokens;
    return {
      ids: [...this.#before, ...ids, ...this.#after].slice(0, maxTokens),
      fullTokenCount: fullTokenCount + specialCount,
    };
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

/** `text` in pieces, each but the first beginning with a space where there is one. */
function* pieces(text: string, maxTokens: number): Generator<string> {
  const pieceUnits = Math.max(minPieceUnits, unitsPerToken * maxTokens);
  let start = 0;
  do {
    const window = text.slice(start, start + pieceUnits);
    // Normalisation makes 18 characters of some.
    const growth = cutMarks(window).normalize('NFKC').length / pieceUnits;
    const isLast = start + window.length === text.length && growth <= 1;
    const end = isLast
      ? text.length
      : endOfPiece(text, start, start + Math.floor(pieceUnits / Math.max(1, growth)));
    yield text.slice(start, end);
    start = end;
  } while (start < text.length);
}

/** Before the last space that stands between words, as tokenizers cut there too; else between two characters. */
function endOfPiece(text: string, start: number, limit: number): number {
  const middle = start + (limit - start) / 2;
  for (let at = limit; at > middle; at--) {
    if (text[at] === ' ' && /\S/.test(text[at - 1]!)) return at;
  }
  return isInsidePair(text, limit) ? limit - 1 : limit;
}

/** `text` in pieces of some thousand units that end where a word does for BERT's pre-tokeniser. */
function* wordPieces(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > wordPieceUnits) {
    const end = endOfWord(text, start + wordPieceUnits);
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

/** Before a white space or an ideograph, or before a mark of punctuation in ASCII. */
const startsAnother = /[\s!-/:-@[-`{-~\u3400-\u4dbf\u4e00-\u9fff]/;

function endOfWord(text: string, from: number): number {
  const limit = Math.min(text.length, from + maxWordUnits);
  const offset = text.slice(from, limit).search(startsAnother);
  if (offset >= 0) return from + offset;
  return isInsidePair(text, limit) ? limit + 1 : limit;
}
