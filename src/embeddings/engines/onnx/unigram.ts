/**
 * SentencePiece's unigram model (Kudo 2018, arXiv:1804.10959): the most probable way to cut a text into pieces, by
 * Viterbi. Why not the tokenizer library's: it settles ties, as in `aaaa`, otherwise than the model was published
 * with, so that vectors differ; and it overflows the stack at 130,000 pieces and takes gigabytes for megabytes.
 */
import { normalizeNfkc } from './normalize.ts';
import { PieceTrie } from './piece-trie.ts';

export interface UnigramVocabulary {
  /** Pieces with their log probability; the index is the token's id. */
  readonly pieces: readonly (readonly [piece: string, score: number])[];
  readonly unknownId: number;
}

export interface Tokens {
  /** The first tokens, at most as many as asked for. */
  readonly ids: number[];
  /** Tokens of the whole text. */
  readonly fullTokenCount: number;
}

const space = '▁';
// A longer word gets buffers of its own, which go with it.
const keptUnits = 16_384;

type Buffers = { scores: Float64Array; ids: Int32Array };
const newBuffers = (units: number): Buffers => ({
  scores: new Float64Array(units + 1),
  ids: new Int32Array(units + 1),
});

/** NFKC, `▁` for each space and in front, pieces by Viterbi; unknown characters in a row are one token. */
export class Unigram {
  readonly #trie = new PieceTrie();
  readonly #scores: Float64Array;
  readonly #lengths: Int32Array;
  readonly #unknownId: number;
  readonly #matches: Int32Array;
  readonly #buffers = newBuffers(keptUnits);

  /**
   * Throws unless every character of a piece is a piece too, and `▁` only begins pieces. Then an unknown character or a
   * `▁` is a cut in every way to cut the text: what an unknown scores can't matter, and words can be cut one by one.
   */
  constructor({ pieces, unknownId }: UnigramVocabulary) {
    this.#unknownId = unknownId;
    this.#scores = Float64Array.from(pieces, ([, score]) => score);
    this.#lengths = Int32Array.from(pieces, ([piece]) => piece.length);
    this.#matches = new Int32Array(this.#lengths.reduce((a, b) => Math.max(a, b), 0));
    const known = new Set(pieces.map(([piece]) => piece));
    pieces.forEach(([piece], id) => {
      if (id === unknownId) return;
      if (piece.lastIndexOf(space) > 0 || ![...piece].every((character) => known.has(character))) {
        throw new Error(`Unigram vocabulary: the piece ${JSON.stringify(piece)} is not supported`);
      }
      this.#trie.add(piece, id);
    });
  }

  /** Time and memory grow in proportion to the text's length. No special tokens are added. */
  encode(text: string, maxTokens: number): Tokens {
    const normalized = normalizeNfkc(text);
    const tokens = new TokenCollector(this.#unknownId, maxTokens);
    if (normalized === '') return tokens;
    const marked = space + normalized.replaceAll(' ', space);
    let score = 0;
    for (let start = 0; start < marked.length; ) {
      const found = marked.indexOf(space, start + 1);
      const end = found < 0 ? marked.length : found;
      const buffers = end - start > keptUnits ? newBuffers(end - start) : this.#buffers;
      score = this.#search(marked, start, end, score, buffers);
      this.#collect(marked, start, end, buffers, tokens);
      start = end;
    }
    return tokens;
  }

  /** Finds, for each place of a word, the best last piece; answers the word's score on top of `before`. */
  #search(text: string, start: number, end: number, before: number, { scores, ids }: Buffers): number {
    scores.fill(0, 0, end - start + 1);
    scores[0] = before;
    for (let at = start; at < end; at++) {
      const count = this.#trie.match(text, at, end, this.#matches);
      const score = scores[at - start]!;
      for (let i = 0; i < count; i++) {
        const id = this.#matches[i]!;
        const to = at - start + this.#lengths[id]!;
        const candidate = score + this.#scores[id]!;
        // The later start wins a tie, and a score of 0 counts as none: so does the published tokenizer.
        if (scores[to] === 0 || candidate >= scores[to]!) {
          scores[to] = candidate;
          ids[to] = id;
        }
      }
      if (count === 0) {
        at += unitsAt(text, at) - 1;
        scores[at + 1 - start] = score;
        ids[at + 1 - start] = this.#unknownId;
      }
    }
    return scores[end - start]!;
  }

  #collect(text: string, start: number, end: number, { ids }: Buffers, tokens: TokenCollector): void {
    // Backwards along the best pieces, packed at the buffer's end, where they were read already.
    let first = end - start + 1;
    for (let at = end - start; at > 0; ) {
      const id = ids[at]!;
      at -= id === this.#unknownId ? unitsBefore(text, start + at) : this.#lengths[id]!;
      ids[--first] = id;
    }
    for (let i = first; i <= end - start; i++) tokens.add(ids[i]!);
  }
}

/** Takes tokens in order, unknown ones in a row as one, and keeps the first `maxTokens`. */
class TokenCollector implements Tokens {
  readonly ids: number[] = [];
  fullTokenCount = 0;
  readonly #unknownId: number;
  readonly #maxTokens: number;
  #previous = -1;

  constructor(unknownId: number, maxTokens: number) {
    this.#unknownId = unknownId;
    this.#maxTokens = maxTokens;
  }

  add(id: number): void {
    const merged = id === this.#unknownId && this.#previous === id;
    this.#previous = id;
    if (merged) return;
    this.fullTokenCount++;
    if (this.ids.length < this.#maxTokens) this.ids.push(id);
  }
}

const unitsAt = (text: string, at: number): number => (text.codePointAt(at)! > 0xffff ? 2 : 1);
const unitsBefore = (text: string, at: number): number => (at > 1 && unitsAt(text, at - 2) === 2 ? 2 : 1);
