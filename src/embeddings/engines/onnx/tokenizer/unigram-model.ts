/** SentencePiece's unigram model (Kudo 2018, arXiv:1804.10959) as the reference computes it, including near-ties. */
import { PieceTrie } from '../piece-trie.ts';
import type { TokenCollector } from '../token-collector.ts';
import type { Part } from './part.ts';
import { longWordUnits, type TokenModel } from './token-model.ts';
import { byteTokens } from './vocabulary.ts';

type ScoredPiece = readonly [piece: string, score: number];

const unknownPenalty = 10;
/** A millisecond or two of work. */
const copiedUnits = 1 << 20;

export function unigram(part: Part): TokenModel {
  const pieces = part.field('vocab');
  const isPiece = (one: unknown): one is ScoredPiece =>
    Array.isArray(one) && typeof one[0] === 'string' && one[0] !== '' && typeof one[1] === 'number';
  if (!Array.isArray(pieces) || !pieces.every(isPiece))
    return part.refuse('"vocab" is not a list of scored pieces');
  const unknownId = part.integer('unk_id');
  if (unknownId < 0 || unknownId >= pieces.length) part.refuse('"unk_id" is not in the vocabulary');
  const ids = new Map(pieces.map(([piece], id) => [piece, id]));
  const fallback = part.boolean('byte_fallback', false) ? byteTokens(part, ids) : undefined;
  return new UnigramModel(pieces, ids, unknownId, fallback);
}

/**
 * Converts a decimal number as the reference parses it: all digits as one integer, rounded, divided by a power of ten
 * and rounded again. The last bit decides ties.
 */
function asRead(score: number): number {
  const [, sign, whole, fraction] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(score)) ?? [];
  if (whole === undefined) return score;
  const digits = Number(whole + (fraction ?? ''));
  const value = digits / Number(`1e${fraction?.length ?? 0}`);
  return sign ? -value : value;
}

class UnigramModel implements TokenModel {
  readonly vocabularySize: number;
  readonly #ids: ReadonlyMap<string, number>;
  readonly #trie = new PieceTrie();
  readonly #scores: Float64Array;
  readonly #lengths: Int32Array;
  readonly #unknownId: number;
  readonly #unknownScore: number;
  readonly #fallback: readonly number[] | undefined;
  readonly #matches: Int32Array;
  readonly #units = new Uint16Array(longWordUnits);
  readonly #path = new Path();

  constructor(
    pieces: readonly ScoredPiece[],
    ids: ReadonlyMap<string, number>,
    unknownId: number,
    fallback: readonly number[] | undefined,
  ) {
    this.vocabularySize = pieces.length;
    this.#ids = ids;
    this.#unknownId = unknownId;
    this.#fallback = fallback;
    this.#scores = Float64Array.from(pieces, ([, score]) => asRead(score));
    this.#lengths = Int32Array.from(pieces, ([piece]) => piece.length);
    this.#unknownScore = this.#scores.reduce((a, b) => Math.min(a, b)) - unknownPenalty;
    this.#matches = new Int32Array(this.#lengths.reduce((a, b) => Math.max(a, b)));
    for (const [piece, id] of ids) this.#trie.add(piece, id);
  }

  idOf(token: string): number | undefined {
    return this.#ids.get(token);
  }

  add(word: string, tokens: TokenCollector): void {
    for (let i = 0; i < word.length; i++) this.#units[i] = word.charCodeAt(i);
    const steps = this.#search(word, this.#units, this.#path, tokens);
    while (!steps.next().done);
  }

  *addLong(word: string, tokens: TokenCollector): Generator<void> {
    // Other texts use the shared buffers while a long word waits.
    const units = new Uint16Array(word.length);
    for (let i = 0; i < word.length; i++) {
      units[i] = word.charCodeAt(i);
      if (i % copiedUnits === 0) yield;
    }
    yield* this.#search(word, units, new Path(), tokens);
  }

  *#search(word: string, units: Uint16Array, path: Path, tokens: TokenCollector): Generator<void> {
    path.begin();
    const unknown = new UnknownRun();
    let worked = 0;
    // All segmentations found so far have a boundary at `base`.
    let base = 0;
    let reach = 0;
    for (let at = 0; at < word.length; ) {
      const characterUnits = isPair(units, at, word.length) ? 2 : 1;
      reach = Math.max(reach, this.#extend(units, word.length, at, characterUnits, path, base));
      at += characterUnits;
      if (reach <= at) {
        this.#take(word, base, at, path, unknown, tokens);
        if (tokens.isFull) return;
        base = at;
      }
      if (at - worked >= longWordUnits) {
        worked = at;
        yield;
      }
    }
    this.#end(word, unknown, tokens);
  }

  /** Extends the best paths by the pieces that start at `at`. Returns the end of the longest one. */
  #extend(
    units: Uint16Array,
    end: number,
    at: number,
    characterUnits: number,
    path: Path,
    base: number,
  ): number {
    const count = this.#trie.match(units, at, this.#matches, end);
    const score = path.scoreAt(at - base);
    let isCharacterKnown = false;
    let reach = at + characterUnits;
    for (let i = 0; i < count; i++) {
      const id = this.#matches[i]!;
      const length = this.#lengths[id]!;
      path.offer(at - base + length, this.#scores[id]! + score, id, length);
      if (length === characterUnits) isCharacterKnown = true;
      if (at + length > reach) reach = at + length;
    }
    if (!isCharacterKnown) {
      path.offer(at - base + characterUnits, this.#unknownScore + score, this.#unknownId, characterUnits);
    }
    return reach;
  }

  /** Adds the tokens of the best path from `start` to `end`. The next path starts at `end`. */
  #take(
    word: string,
    start: number,
    end: number,
    path: Path,
    unknown: UnknownRun,
    tokens: TokenCollector,
  ): void {
    let at = start;
    for (const [id, length] of path.take(end - start)) {
      at += length;
      if (id === this.#unknownId) unknown.take(at - length, at);
      else {
        this.#end(word, unknown, tokens);
        tokens.add(id);
      }
    }
  }

  /** Adds the tokens of consecutive unknown characters, which count as one piece. */
  #end(word: string, unknown: UnknownRun, tokens: TokenCollector): void {
    if (unknown.start < 0) return;
    const isShort = unknown.end - unknown.start <= this.#matches.length;
    const known = isShort ? this.#ids.get(word.slice(unknown.start, unknown.end)) : undefined;
    if (known === undefined && this.#fallback) {
      for (const byte of Buffer.from(word.slice(unknown.start, unknown.end)))
        tokens.add(this.#fallback[byte]!);
    } else tokens.add(known ?? this.#unknownId);
    unknown.start = -1;
  }
}

class UnknownRun {
  start = -1;
  end = -1;

  take(start: number, end: number): void {
    if (this.start < 0) this.start = start;
    this.end = end;
  }
}

/** The best path to each index after the last one where all paths meet. */
class Path {
  #scores = new Float64Array(64);
  #ids = new Int32Array(64).fill(-1);
  #lengths = new Int32Array(64);

  begin(): void {
    this.#scores[0] = 0;
  }

  scoreAt(at: number): number {
    return this.#scores[at]!;
  }

  offer(at: number, score: number, id: number, length: number): void {
    if (at >= this.#ids.length) this.#grow(at);
    if (this.#ids[at]! >= 0 && !(score > this.#scores[at]!)) return;
    this.#scores[at] = score;
    this.#ids[at] = id;
    this.#lengths[at] = length;
  }

  /** Returns the pieces of the path to `end`, which becomes the new start. */
  take(end: number): [id: number, length: number][] {
    const pieces: [number, number][] = [];
    for (let at = end; at > 0; at -= this.#lengths[at]!) pieces.push([this.#ids[at]!, this.#lengths[at]!]);
    this.#scores[0] = this.#scores[end]!;
    this.#ids.fill(-1, 0, end + 1);
    return pieces.reverse();
  }

  #grow(at: number): void {
    const size = Math.max(2 * this.#ids.length, at + 1);
    const [scores, ids, lengths] = [
      new Float64Array(size),
      new Int32Array(size).fill(-1),
      new Int32Array(size),
    ];
    scores.set(this.#scores);
    ids.set(this.#ids);
    lengths.set(this.#lengths);
    [this.#scores, this.#ids, this.#lengths] = [scores, ids, lengths];
  }
}

const isPair = (units: Uint16Array, at: number, end: number): boolean =>
  (units[at]! & 0xfc00) === 0xd800 && at + 1 < end && (units[at + 1]! & 0xfc00) === 0xdc00;
