/** The reference's character classes, for regular expressions with the flag `v`. */
import {
  assignedLater,
  keptByBert,
  keptByStripAccents,
  notNormalized,
  notPunctuation,
} from './unicode-versions.ts';

/** Returns the inside of a class with the code points of `ranges`, such as `41-5a 61`. */
const inside = (ranges: string): string =>
  ranges
    .trim()
    .split(/\s+/)
    .map((range) => range.replace(/[0-9a-f]+/g, (point) => `\\u{${point}}`))
    .join('');

const later = inside(assignedLater);

/** Character classes, each usable alone or inside another class. */
export const classes = {
  whiteSpace: '[\\p{White_Space}]',
  number: '[\\p{N}]',
  punctuation: `[[\\p{P}\\u{166d}\\u{111c9}!-\\/:-@\\[-\`\\{-~]--[${inside(notPunctuation)}]]`,
  /** `\w` of Rust's regular expressions. */
  word: `[[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]--[${later}]]`,
  markOfBert: `[[\\p{Mn}\\u{1734}\\u{1171e}]--[${inside(keptByBert)}]]`,
  markOfStripAccents: `[[\\p{M}\\u{1cf2}\\u{1cf3}]--[${inside(keptByStripAccents)}]]`,
  removedByBert:
    '[[\\p{Cc}\\p{Cf}\\p{Co}\\u{fffd}]--[\\t\\n\\r\\u{890}\\u{891}\\u{8e2}\\u{110cd}\\u{13430}-\\u{1343f}]]',
  ideograph:
    '[\\u{3400}-\\u{4dbf}\\u{4e00}-\\u{9fff}\\u{f900}-\\u{faff}\\u{20000}-\\u{2a6df}\\u{2a700}-\\u{2b81f}\\u{2b920}-\\u{2ceaf}\\u{2f800}-\\u{2fa1f}]',
  notNormalized: `[${inside(notNormalized)}]`,
} as const;

// Unicode 17 changed it to a letter without case.
const glottalStop = '\\u{295}';

/** Returns the class for Oniguruma's property `name`, or undefined if it isn't known to be the same. */
export function propertyClass(name: string): string | undefined {
  if (name === 'Ll') return `[[\\p{Ll}${glottalStop}]--[${later}]]`;
  if (name === 'Lo') return `[\\p{Lo}--[${glottalStop}${later}]]`;
  if (/^(L|M|N|P|S|Z|Lu|Lt|Lm|Mn|Mc|Me|Nd|Nl|No)$/.test(name)) return `[\\p{${name}}--[${later}]]`;
  if (/^(Han|Hiragana|Katakana|Hangul|Arabic|Latin|Greek|Cyrillic|Thai)$/.test(name))
    return `[\\p{Script=${name}}--[${later}]]`;
  return undefined;
}

/** `\w` of Oniguruma's regular expressions. Outside a class, it also matches fractions and superscript digits. */
export const onigurumaWord = {
  inClass: `[[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}]--[${later}]]`,
  byItself: `[[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u{b2}\\u{b3}\\u{b9}\\u{bc}-\\u{be}]--[${later}]]`,
};
