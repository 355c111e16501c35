import { endOfPart } from '../normalize.ts';

/** A step of normalisation. Yields after each few milliseconds of work. */
export type Normalizer = (text: string) => Generator<void, string>;

// A millisecond or two.
const partUnits = 4_096;

/** Applies `change`, which must not reach across the beginnings of letters, to some thousand units of a text at a time. */
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

/** The parts as one text. A step of its own: of a text that unfolds to millions of characters it takes tens of milliseconds. */
export function* joined(parts: readonly string[]): Generator<void, string> {
  const text = parts.join('');
  yield;
  return text;
}

/** Applies `change`, which is quick, to a whole text. */
export function atOnce(change: (text: string) => string): Normalizer {
  // biome-ignore lint/correctness/useYield: it is a step among others that do
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

/** Letter by letter, as the reference does: JavaScript's own makes another letter of a sigma at a word's end. */
export const lowercase = (text: string): string => text.replaceAll('Σ', 'σ').toLowerCase();
