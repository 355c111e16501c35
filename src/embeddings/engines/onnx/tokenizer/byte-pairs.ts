/** Byte pair encoding (Sennrich 2016, arXiv:1508.07909). */
import type { TokenCollector } from '../token-collector.ts';
import { Merges } from './merges.ts';
import { mergeMany } from './merging.ts';
import type { Part } from './part.ts';
import { longWordUnits, type TokenModel } from './token-model.ts';
import { byteTokens, readUnknown, readVocabulary, type Vocabulary } from './vocabulary.ts';

const maxCachedWords = 16_384;
const maxCachedUnits = 32;

interface Settings {
  readonly unknownId: number | undefined;
  /** Whether consecutive unknown characters are one token. */
  readonly fusesUnknown: boolean;
  readonly suffix: string;
  /** Whether a word in the vocabulary is one token regardless of the merges. */
  readonly takesWholeWords: boolean;
  readonly fallback: readonly number[] | undefined;
}

export function bytePairs(part: Part): TokenModel {
  const vocabulary = readVocabulary(part);
  if (part.field('dropout')) part.refuse('"dropout" makes other tokens each time');
  if (part.field('continuing_subword_prefix')) part.refuse('"continuing_subword_prefix" is not supported');
  const unknown = part.field('unk_token') ?? undefined;
  const unknownId = unknown === undefined ? undefined : readUnknown(part, vocabulary);
  const fallback = part.boolean('byte_fallback', false) ? byteTokens(part, vocabulary) : undefined;
  return new BytePairs(vocabulary, new Merges(part, vocabulary, new Set([unknownId, ...(fallback ?? [])])), {
    unknownId,
    fusesUnknown: part.boolean('fuse_unk', false),
    suffix: part.string('end_of_word_suffix', ''),
    takesWholeWords: part.boolean('ignore_merges', false),
    fallback,
  });
}

class BytePairs implements TokenModel {
  readonly vocabularySize: number;
  readonly #vocabulary: Vocabulary;
  readonly #merges: Merges;
  readonly #settings: Settings;
  readonly #cached = new Map<string, Int32Array>();

  constructor(vocabulary: Vocabulary, merges: Merges, settings: Settings) {
    this.vocabularySize = vocabulary.size;
    this.#vocabulary = vocabulary;
    this.#merges = merges;
    this.#settings = settings;
  }

  idOf(token: string): number | undefined {
    return this.#vocabulary.get(token);
  }

  add(word: string, tokens: TokenCollector): void {
    const cached = this.#cached.get(word);
    if (cached) {
      for (const id of cached) tokens.add(id);
      return;
    }
    const made: number[] = [];
    const steps = this.#encode(
      word,
      (id) => made.push(id),
      () => false,
    );
    while (!steps.next().done);
    for (const id of made) tokens.add(id);
    if (word.length > maxCachedUnits) return;
    if (this.#cached.size >= maxCachedWords) this.#cached.clear();
    this.#cached.set(word, Int32Array.from(made));
  }

  addLong(word: string, tokens: TokenCollector): Generator<void> {
    return this.#encode(
      word,
      (id) => tokens.add(id),
      () => tokens.isFull,
    );
  }

  /** Encodes the word in stretches that no merge crosses. */
  *#encode(word: string, add: (id: number) => void, isEnough: () => boolean): Generator<void> {
    const whole = this.#settings.takesWholeWords ? this.#vocabulary.get(word) : undefined;
    if (whole !== undefined) return add(whole);
    let ids = new Int32Array(Math.min(word.length + 4, 64));
    let count = 0;
    let worked = 0;
    let before = -1;
    let isUnknownBefore = false;
    for (let at = 0; at < word.length; ) {
      const point = word.codePointAt(at)!;
      const units = point > 0xffff ? 2 : 1;
      const end = at + units;
      if (count + 4 * (units + this.#settings.suffix.length) > ids.length) {
        const grown = new Int32Array(2 * ids.length + 4 * this.#settings.suffix.length);
        grown.set(ids);
        ids = grown;
      }
      const character = word.slice(at, end) + (end === word.length ? this.#settings.suffix : '');
      const id = this.#vocabulary.get(character);
      const isUnknown = id === undefined && !this.#settings.fallback;
      // Without an unknown token, unknown characters are ignored.
      const isThere = !isUnknown || this.#settings.unknownId !== undefined;
      if (isThere && count > 0 && !this.#merges.mayJoin(before, point)) {
        const left = yield* mergeMany(ids, count, this.#merges);
        for (let i = 0; i < left; i++) add(ids[i]!);
        count = 0;
        if (isEnough()) return;
      }
      if (id !== undefined) ids[count++] = id;
      else if (this.#settings.fallback) {
        for (const byte of Buffer.from(character)) ids[count++] = this.#settings.fallback[byte]!;
      } else if (
        this.#settings.unknownId !== undefined &&
        !(isUnknownBefore && this.#settings.fusesUnknown)
      ) {
        ids[count++] = this.#settings.unknownId;
      }
      if (isThere) before = point;
      isUnknownBefore = isUnknown;
      at = end;
      if (at - worked >= longWordUnits) {
        worked = at;
        yield;
      }
    }
    const left = yield* mergeMany(ids, count, this.#merges);
    for (let i = 0; i < left; i++) add(ids[i]!);
  }
}
