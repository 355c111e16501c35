import { PairTable } from './pair-table.ts';
import type { Part } from './part.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The pairs of tokens to merge, lower ranks first. */
export class Merges {
  /** The merged token of each rank. */
  readonly ids: Int32Array;
  readonly #ranks = new PairTable();
  /** The last and first character of each pair's tokens: the places that merges can cross. */
  readonly #across = new PairTable();

  /** Throws when a pair contains one of `unmerged`, the ids of tokens that represent unknown characters. */
  constructor(part: Part, vocabulary: Vocabulary, unmerged: ReadonlySet<number | undefined>) {
    const merges = readMerges(part);
    const idOf = (token: string): number =>
      vocabulary.get(token) ??
      part.refuse(`a merge needs the token ${JSON.stringify(token)}, which "vocab" lacks`);
    this.ids = new Int32Array(merges.length);
    merges.forEach(([first, second], rank) => {
      this.ids[rank] = idOf(first + second);
      const [firstId, secondId] = [idOf(first), idOf(second)];
      if (unmerged.has(firstId) || unmerged.has(secondId)) {
        part.refuse(
          `it merges ${JSON.stringify([first, second])}, one of which stands for unknown characters`,
        );
      }
      this.#ranks.set(firstId, secondId, rank);
      this.#across.set(lastPoint(first), second.codePointAt(0)!, 1);
    });
  }

  /** Returns the rank of a pair, or −1 if it is not merged. */
  rank(first: number, second: number): number {
    return this.#ranks.get(first, second);
  }

  /** Reports whether two adjacent characters can become part of one token. */
  mayJoin(before: number, after: number): boolean {
    return this.#across.get(before, after) > 0;
  }
}

function readMerges(part: Part): [string, string][] {
  const merges = part.field('merges');
  if (!Array.isArray(merges)) return part.refuse('"merges" is not a list');
  return merges.map((merge: unknown) => {
    const pair = typeof merge === 'string' ? merge.split(' ') : merge;
    return isPair(pair) ? pair : part.refuse(`the merge ${JSON.stringify(merge)} is not a pair`);
  });
}

const isPair = (pair: unknown): pair is [string, string] =>
  Array.isArray(pair) && pair.length === 2 && pair.every((one) => typeof one === 'string' && one !== '');

function lastPoint(token: string): number {
  const last = token.codePointAt(token.length - 2);
  return last !== undefined && last > 0xffff ? last : token.charCodeAt(token.length - 1);
}
