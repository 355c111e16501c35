import type { Merges } from './merges.ts';

// Up to this many tokens, scanning all pairs for each merge is faster.
const maxScanned = 24;
const mergesPerTurn = 8_192;

/**
 * Merges the first `count` ids in place: repeatedly the pair of the lowest rank, and of several the leftmost. Returns
 * the number of ids left.
 */
function mergeFew(ids: Int32Array, count: number, merges: Merges): number {
  let left = count;
  for (;;) {
    let best = -1;
    let at = -1;
    for (let i = 0; i + 1 < left; i++) {
      const rank = merges.rank(ids[i]!, ids[i + 1]!);
      if (rank >= 0 && (best < 0 || rank < best)) {
        best = rank;
        at = i;
      }
    }
    if (at < 0) return left;
    ids[at] = merges.ids[best]!;
    ids.copyWithin(at + 1, at + 2, left);
    left -= 1;
  }
}

/** Merges like `mergeFew`, but in linear time for any count. Processes positions by rank, from left to right. */
export function* mergeMany(ids: Int32Array, count: number, merges: Merges): Generator<void, number> {
  if (count <= maxScanned) return mergeFew(ids, count, merges);
  const next = new Int32Array(count);
  const previous = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    next[i] = i + 1;
    previous[i] = i - 1;
  }
  const places = new PlacesByRank();
  const offer = (at: number): void => {
    if (at < 0 || next[at]! >= count) return;
    const rank = merges.rank(ids[at]!, ids[next[at]!]!);
    if (rank >= 0) places.add(rank, at);
  };
  for (let i = 0; i + 1 < count; i++) {
    offer(i);
    if (i % mergesPerTurn === 0) yield;
  }
  let done = 0;
  for (let place = places.take(); place; place = places.take()) {
    const { at, rank } = place;
    const right = next[at]!;
    // Skip a position that is merged already or has a different pair now.
    if (right < 0 || right >= count || merges.rank(ids[at]!, ids[right]!) !== rank) continue;
    ids[at] = merges.ids[rank]!;
    next[at] = next[right]!;
    next[right] = -1;
    if (next[at]! < count) previous[next[at]!] = at;
    offer(previous[at]!);
    offer(at);
    if (++done % mergesPerTurn === 0) yield;
  }
  let left = 0;
  for (let i = 0; i < count; i = next[i]!) ids[left++] = ids[i]!;
  return left;
}

interface Places {
  readonly rank: number;
  /** In ascending order from `head` on, unless `isMixed`. */
  places: number[];
  head: number;
  isMixed: boolean;
}

/** A queue of positions: the lowest rank first, and of one rank the leftmost. */
class PlacesByRank {
  readonly #byRank = new Map<number, Places>();
  /** A heap of the ranks that may have positions left. */
  readonly #heap: Places[] = [];

  add(rank: number, at: number): void {
    let places = this.#byRank.get(rank);
    if (!places) {
      places = { rank, places: [], head: 0, isMixed: false };
      this.#byRank.set(rank, places);
      this.#push(places);
    }
    if (at < (places.places.at(-1) ?? 0)) places.isMixed = true;
    places.places.push(at);
  }

  take(): { rank: number; at: number } | undefined {
    for (;;) {
      const lowest = this.#heap[0];
      if (!lowest) return undefined;
      if (lowest.head < lowest.places.length) {
        if (lowest.isMixed) {
          lowest.places = Array.from(Int32Array.from(lowest.places.slice(lowest.head)).sort());
          lowest.head = 0;
          lowest.isMixed = false;
        }
        return { rank: lowest.rank, at: lowest.places[lowest.head++]! };
      }
      this.#byRank.delete(lowest.rank);
      this.#pop();
    }
  }

  #push(places: Places): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(places);
    for (; at > 0; at = (at - 1) >> 1) {
      const parent = heap[(at - 1) >> 1]!;
      if (parent.rank <= places.rank) break;
      heap[at] = parent;
    }
    heap[at] = places;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]!.rank < heap[child]!.rank) child += 1;
      if (heap[child]!.rank >= last.rank) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }
}
