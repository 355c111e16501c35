import { joined, type Normalizer } from './steps.ts';

// No more units than these are looked at in one piece, and no more clusters, each of which takes as long as hundreds of characters do.
const partUnits = 4_096;
const partClusters = 1_024;
const maxClusterUnits = 4_096;
// One look by the segmenter serves the clusters of so many units: to begin one takes far longer than to go on.
const windowUnits = 256;
// The reference looks up longer ones character by character.
const maxClusterBytes = 5;

/** What may belong to the cluster of the character before it, or to that of the one behind it. Each other is a cluster of its own. */
const joins =
  /[\p{M}\p{Cf}\p{Grapheme_Extend}\p{Emoji_Modifier}\p{Regional_Indicator}\r\n\u0e33\u0eb3\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\uff9e\uff9f\u0d4e\u{111c2}\u{111c3}\u{113d1}\u{1193f}\u{11941}\u{11a3a}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}]/v;

/**
 * The normalisation rules that SentencePiece compiles: a map from short texts to others, as a double array (Aoe 1989) over UTF-8 and the
 * replacements, each ended by a zero. Applied as the reference does, oddities included: a cluster of characters (UAX #29) of up to five bytes is
 * replaced as a whole by what its shortest known beginning becomes.
 */
export class Charsmap {
  readonly #units: Uint32Array;
  readonly #replacements: Buffer;
  readonly #segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  /** By UTF-16 unit: the replacement of the character, null for none; undefined where it was not looked up yet. */
  readonly #known: (string | null | undefined)[] = new Array(0x1_0000);
  readonly #joins = new Int8Array(0x1_0000);

  /** Throws when `bytes` is not such a map. */
  constructor(bytes: Buffer) {
    const trieBytes = bytes.length < 4 ? -1 : bytes.readUInt32LE(0);
    if (trieBytes < 4 || trieBytes % 4 !== 0 || trieBytes > bytes.length - 4) {
      throw new Error('"precompiled_charsmap" is malformed');
    }
    this.#units = Uint32Array.from({ length: trieBytes / 4 }, (_, i) => bytes.readUInt32LE(4 + 4 * i));
    this.#replacements = bytes.subarray(4 + trieBytes);
  }

  get normalizer(): Normalizer {
    const self = this;
    return function* (text) {
      const parts: string[] = [];
      for (let start = 0; start < text.length; ) {
        const [part, end] = self.#part(text, start);
        parts.push(part);
        start = end;
        if (start < text.length) yield;
      }
      return parts.length === 1 ? parts[0]! : yield* joined(parts);
    };
  }

  /** What becomes of some thousand units, and where they end. */
  #part(text: string, start: number): [string, number] {
    const end = Math.min(text.length, start + partUnits);
    // Joined at once: a text that is put together bit by bit costs its reader more than its writer.
    const made: string[] = [];
    // What was read and stays as it is.
    let keptFrom = start;
    let at = start;
    let clusters = 0;
    const endOfCluster = this.#clustersOf(text);
    while (at < end && clusters < partClusters) {
      const next = at + (text.codePointAt(at)! > 0xffff ? 2 : 1);
      const isAlone = !this.#joinsAt(text, at) && (next === text.length || !this.#joinsAt(text, next));
      if (!isAlone) clusters += 1;
      const clusterEnd = isAlone ? next : endOfCluster(at);
      const isTooLong = clusterEnd > next && isBehindInitial(text, at);
      const whole = isTooLong ? null : this.#whole(text.slice(at, clusterEnd), clusterEnd === next);
      if (whole !== null) {
        made.push(text.slice(keptFrom, at), whole);
        keptFrom = clusterEnd;
      } else if (clusterEnd > next) {
        made.push(text.slice(keptFrom, at));
        for (const character of text.slice(at, clusterEnd)) {
          made.push(this.#ofCharacter(character) ?? character);
        }
        keptFrom = clusterEnd;
      }
      at = clusterEnd;
    }
    made.push(text.slice(keptFrom, at));
    return [made.join(''), at];
  }

  #whole(cluster: string, isCharacter: boolean): string | null {
    if (isCharacter) return this.#ofCharacter(cluster);
    return Buffer.byteLength(cluster) <= maxClusterBytes ? this.#find(cluster) : null;
  }

  #ofCharacter(character: string): string | null {
    if (character.length > 1) return this.#find(character);
    const unit = character.charCodeAt(0);
    let known = this.#known[unit];
    if (known === undefined) {
      known = this.#find(character);
      this.#known[unit] = known;
    }
    return known;
  }

  #joinsAt(text: string, at: number): boolean {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit < 0xe000) return joins.test(String.fromCodePoint(text.codePointAt(at)!));
    let known = this.#joins[unit]!;
    if (known === 0) {
      known = joins.test(text[at]!) ? 1 : -1;
      this.#joins[unit] = known;
    }
    return known > 0;
  }

  /** Returns a function from where a cluster begins to where it ends. Each cluster begins where one before it ended, or behind that. */
  #clustersOf(text: string): (at: number) => number {
    let window = { start: 0, end: 0, segments: this.#segmenter.segment('') };
    const look = (at: number, units: number): void => {
      const end = Math.min(text.length, at + units);
      window = { start: at, end, segments: this.#segmenter.segment(text.slice(at, end)) };
    };
    return (at) => {
      if (at >= window.end) look(at, windowUnits);
      for (let units = windowUnits; ; units *= 4) {
        const { index, segment } = window.segments.containing(at - window.start)!;
        const end = window.start + index + segment.length;
        // A character beyond the window could belong to it.
        if (end < window.end - 1 || window.end === text.length) return end;
        if (window.start === at && units >= maxClusterUnits) return this.#endOfJoined(text, end);
        look(at, window.start === at ? units * 4 : units);
      }
    };
  }

  /** A cluster of thousands is no key of any map: only where the next one begins matters. */
  #endOfJoined(text: string, from: number): number {
    const limit = Math.min(text.length, from + maxClusterUnits);
    let end = from;
    while (end < limit && this.#joinsAt(text, end)) end += text.codePointAt(end)! > 0xffff ? 2 : 1;
    return end;
  }

  /** What the shortest key that `key` begins with becomes; null where there is none. */
  #find(key: string): string | null {
    let node = offsetOf(this.#units[0]!);
    for (const byte of Buffer.from(key)) {
      if (byte === 0) return null;
      node ^= byte;
      const unit = this.#units[node];
      if (unit === undefined || (unit & 0x8000_00ff) >>> 0 !== byte) return null;
      node ^= offsetOf(unit);
      if (((unit >>> 8) & 1) === 1) return this.#replacement(this.#units[node]! & 0x7fff_ffff);
    }
    return null;
  }

  #replacement(start: number): string {
    const end = this.#replacements.indexOf(0, start);
    return this.#replacements.toString('utf8', start, end < 0 ? undefined : end);
  }
}

const offsetOf = (unit: number): number => ((unit >>> 10) << ((unit & 0x200) >>> 6)) >>> 0;

/** Whether a syllable of Hangul belongs to an initial consonant before it: with marks, they are more than five bytes together. */
const isBehindInitial = (text: string, at: number): boolean =>
  at > 0 && /^[\u1100-\u115f\ua960-\ua97c][\uac00-\ud7a3]/.test(text.slice(at - 1, at + 1));
