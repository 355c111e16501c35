import { joined, type Normalizer } from './steps.ts';

// Limits for one part, in units and in clusters. A cluster takes as long as hundreds of characters.
const partUnits = 4_096;
const partClusters = 1_024;
const maxClusterUnits = 4_096;
// The segmenter gets this many units at a time, because starting a segmentation takes far longer than continuing one.
const windowUnits = 256;
// The reference looks up longer clusters character by character.
const maxClusterBytes = 5;

/** Characters that can share a cluster with the previous or next one. Every other character is its own cluster. */
const joins =
  /[\p{M}\p{Cf}\p{Grapheme_Extend}\p{Emoji_Modifier}\p{Regional_Indicator}\r\n\u0e33\u0eb3\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\uff9e\uff9f\u0d4e\u{111c2}\u{111c3}\u{113d1}\u{1193f}\u{11941}\u{11a3a}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}]/v;

/**
 * SentencePiece's compiled normalization rules: a map between short texts, stored as a double array (Aoe 1989) over
 * UTF-8 and the zero-terminated replacements. Reproduces the reference with its oddities: a grapheme cluster (UAX #29)
 * of up to five bytes is replaced as a whole by the replacement of its shortest known prefix.
 */
export class Charsmap {
  readonly #units: Uint32Array;
  readonly #replacements: Buffer;
  readonly #segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  /** Replacements by UTF-16 unit. Null: no replacement; undefined: not looked up yet. */
  readonly #known: (string | null | undefined)[] = new Array(0x1_0000);
  readonly #joins = new Int8Array(0x1_0000);

  /** Throws when `bytes` is malformed. */
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
      return yield* joined(parts);
    };
  }

  /** Normalizes several thousand units from `start` on. Returns the result and the index where to continue. */
  #part(text: string, start: number): [string, number] {
    const end = Math.min(text.length, start + partUnits);
    // Joined in one call, because reading a string that was concatenated piece by piece is slow.
    const made: string[] = [];
    // The start of the text that was read but is unchanged and not yet in `made`.
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

  /** Returns a function that maps the start of a cluster to its end. Calls must be in ascending order. */
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
        // Otherwise, a character after the window could belong to the cluster.
        if (end < window.end - 1 || window.end === text.length) return end;
        if (window.start === at && units >= maxClusterUnits) return this.#endOfJoined(text, end);
        look(at, window.start === at ? units * 4 : units);
      }
    };
  }

  /** Finds the end of a cluster of thousands of units. No map contains it, so only its end matters. */
  #endOfJoined(text: string, from: number): number {
    const limit = Math.min(text.length, from + maxClusterUnits);
    let end = from;
    while (end < limit && this.#joinsAt(text, end)) end += text.codePointAt(end)! > 0xffff ? 2 : 1;
    return end;
  }

  /** Returns the replacement of the shortest prefix of `key` in the map, or null. */
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

/** Reports whether a Hangul syllable joins an initial consonant before it. With marks, they exceed five bytes. */
const isBehindInitial = (text: string, at: number): boolean =>
  at > 0 && /^[\u1100-\u115f\ua960-\ua97c][\uac00-\ud7a3]/.test(text.slice(at - 1, at + 1));
