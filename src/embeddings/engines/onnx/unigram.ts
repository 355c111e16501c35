/**
 * SentencePiece's unigram model (Kudo 2018, arXiv:1804.10959): the most probable segmentation of a text into pieces, by
 * Viterbi. The tokenizer library's own model resolves ties, as in `aaaa`, differently than the published tokenizer, so
 * vectors would differ. It also overflows the stack at 130,000 pieces, and needs gigabytes for megabytes of text.
 */
import { normalizedParts } from './normalize.ts';
import { PieceTrie } from './piece-trie.ts';
import { TokenCollector, type TokenLimits, type Tokens } from './token-collector.ts';

export interface UnigramVocabulary {
  /** Pieces with their log probability. The index is the token's id. */
  readonly pieces: readonly (readonly [piece: string, score: number])[];
  readonly unknownId: number;
}

const mark = '▁';
const markUnit = 0x2581;
const spaceUnit = 0x20;
// A longer word gets temporary buffers. Also the units of a word between two yields, which take a millisecond or two.
const keptUnits = 8_192;

type Buffers = { scores: Float64Array; ids: Int32Array };
const newBuffers = (units: number): Buffers => ({
  scores: new Float64Array(units + 1),
  ids: new Int32Array(units + 1),
});

/** Tokenizes by NFKC, `▁` as prefix and for each space, and Viterbi. Consecutive unknown characters are one token. */
export class Unigram {
  readonly #trie = new PieceTrie();
  readonly #scores: Float64Array;
  readonly #lengths: Int32Array;
  readonly #unknownId: number;
  readonly #matches: Int32Array;
  readonly #buffers = newBuffers(keptUnits);

  /**
   * Throws unless each character of a piece is also a piece, and `▁` occurs only at the start of pieces. Every
   * segmentation then cuts at unknown characters and before each `▁`, so the score of an unknown character is
   * irrelevant, and words can be segmented one by one.
   */
  constructor({ pieces, unknownId }: UnigramVocabulary) {
    this.#unknownId = unknownId;
    this.#scores = Float64Array.from(pieces, ([, score]) => score);
    this.#lengths = Int32Array.from(pieces, ([piece]) => piece.length);
    this.#matches = new Int32Array(this.#lengths.reduce((a, b) => Math.max(a, b), 0));
    const known = new Set(pieces.map(([piece]) => piece));
    pieces.forEach(([piece], id) => {
      if (id === unknownId) return;
      if (piece.lastIndexOf(mark) > 0 || ![...piece].every((character) => known.has(character))) {
        throw new Error(`Unigram vocabulary: the piece ${JSON.stringify(piece)} is not supported`);
      }
      this.#trie.add(piece, id);
    });
  }

  /** Adds no special tokens. */
  *encode(text: string, limits: TokenLimits): Generator<void, Tokens> {
    const tokens = new FusedTokens(limits, this.#unknownId);
    if (text === '') return tokens.tokens;
    const units = new UnitBuffer();
    units.add(markUnit);
    let score = 0;
    for (const part of normalizedParts(text)) {
      let searched = units.length;
      units.addText(part);
      let start = 0;
      for (; searched < units.length; searched++) {
        if (units.view[searched] !== markUnit) continue;
        score = yield* this.#word(units.view.subarray(start, searched), score, tokens);
        if (tokens.isFull) return tokens.tokens;
        start = searched;
      }
      units.drop(start);
      yield;
    }
    yield* this.#word(units.view.subarray(0, units.length), score, tokens);
    return tokens.tokens;
  }

  /** Adds the tokens of one word, and returns `before` plus the word's score. */
  *#word(word: Uint16Array, before: number, tokens: TokenCollector): Generator<void, number> {
    const isLong = word.length > keptUnits;
    // Other texts use the shared buffers while a long word waits.
    const buffers = isLong ? newBuffers(word.length) : this.#buffers;
    buffers.scores.fill(0, 0, word.length + 1);
    buffers.scores[0] = before;
    for (let at = 0; at < word.length; ) {
      at = this.#search(word, at, Math.min(at + keptUnits, word.length), buffers);
      if (isLong) yield;
    }
    this.#collect(word, buffers, tokens);
    return buffers.scores[word.length]!;
  }

  /** Extends the best segmentations by the pieces that start at `start` to `end` − 1. Returns where to continue. */
  #search(word: Uint16Array, start: number, end: number, { scores, ids }: Buffers): number {
    let at = start;
    for (; at < end; at++) {
      const count = this.#trie.match(word, at, this.#matches);
      const score = scores[at]!;
      for (let i = 0; i < count; i++) {
        const id = this.#matches[i]!;
        const to = at + this.#lengths[id]!;
        const candidate = score + this.#scores[id]!;
        // Like the published tokenizer: the later start wins a tie, and a score of 0 counts as unset.
        if (scores[to] === 0 || candidate >= scores[to]!) {
          scores[to] = candidate;
          ids[to] = id;
        }
      }
      if (count === 0) {
        at += unitsAt(word, at) - 1;
        scores[at + 1] = score;
        ids[at + 1] = this.#unknownId;
      }
    }
    return at;
  }

  #collect(word: Uint16Array, { ids }: Buffers, tokens: TokenCollector): void {
    // Follow the best pieces backwards, and write them to the end of the buffer, which has already been read.
    let first = word.length + 1;
    for (let at = word.length; at > 0; ) {
      const id = ids[at]!;
      at -= id === this.#unknownId ? unitsBefore(word, at) : this.#lengths[id]!;
      ids[--first] = id;
    }
    for (let i = first; i <= word.length && !tokens.isFull; i++) tokens.add(ids[i]!);
  }
}

/** Counts consecutive tokens with the fused id as one. */
class FusedTokens extends TokenCollector {
  readonly #fusedId: number;
  #previous = -1;

  constructor(limits: TokenLimits, fusedId: number) {
    super(limits);
    this.#fusedId = fusedId;
  }

  override add(id: number): void {
    if (id !== this.#fusedId || id !== this.#previous) super.add(id);
    this.#previous = id;
  }
}

/**
 * A buffer of UTF-16 units, with `▁` for each space. It is not a string, because V8 may flatten a concatenated string
 * on each read.
 */
class UnitBuffer {
  view = new Uint16Array(256);
  length = 0;

  add(unit: number): void {
    this.#reserve(1);
    this.view[this.length++] = unit;
  }

  addText(text: string): void {
    this.#reserve(text.length);
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      this.view[this.length++] = unit === spaceUnit ? markUnit : unit;
    }
  }

  /** Removes the first `count` units. */
  drop(count: number): void {
    if (count === 0) return;
    this.view.copyWithin(0, count, this.length);
    this.length -= count;
  }

  #reserve(count: number): void {
    if (this.length + count <= this.view.length) return;
    const grown = new Uint16Array(Math.max(this.view.length * 2, this.length + count));
    grown.set(this.view.subarray(0, this.length));
    this.view = grown;
  }
}

const isHigh = (unit: number | undefined): boolean => unit !== undefined && (unit & 0xfc00) === 0xd800;
const isLow = (unit: number | undefined): boolean => unit !== undefined && (unit & 0xfc00) === 0xdc00;
const unitsAt = (word: Uint16Array, at: number): number => (isHigh(word[at]) && isLow(word[at + 1]) ? 2 : 1);
const unitsBefore = (word: Uint16Array, at: number): number =>
  at > 1 && unitsAt(word, at - 2) === 2 ? 2 : 1;
