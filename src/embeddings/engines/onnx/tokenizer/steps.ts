import { endOfPart } from '../normalize.ts';

/** A normalization step. Yields every few milliseconds. */
export type Normalizer = (text: string) => Generator<void, string>;

// A millisecond or two of work.
const partUnits = 4_096;

/** Applies `change` to several thousand units at a time. It must not depend on text across the start of a letter. */
export function inParts(change: (part: string) => string): Normalizer {
  return function* (text) {
    if (text.length <= partUnits) return change(text);
    const parts: string[] = [];
    for (let start = 0; start < text.length; ) {
      const end = endOfPart(text, start + partUnits);
      parts.push(change(text.slice(start, end)));
      start = end;
      yield;
    }
    return yield* joined(parts);
  };
}

/** Joins parts. Yields if there are several, because joining millions of characters takes tens of milliseconds. */
export function* joined(parts: readonly string[]): Generator<void, string> {
  if (parts.length === 1) return parts[0]!;
  const text = parts.join('');
  yield;
  return text;
}

/** Applies `change`, which must be fast, to the whole text. */
export function atOnce(change: (text: string) => string): Normalizer {
  // biome-ignore lint/correctness/useYield: other normalizers yield
  return function* (text) {
    return change(text);
  };
}

export function sequence(steps: readonly Normalizer[]): Normalizer {
  return function* (text) {
    let changed = text;
    for (const step of steps) changed = yield* step(changed);
    return changed;
  };
}

/** Lowercases letter by letter, like the reference. JavaScript alone would convert a sigma at a word's end to `ς`. */
export const lowercase = (text: string): string => text.replaceAll('Σ', 'σ').toLowerCase();
