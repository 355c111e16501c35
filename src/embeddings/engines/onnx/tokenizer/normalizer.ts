/** The steps that a text goes through before it is split into words. */
import { messageOf } from '../../../../errors.ts';
import { fieldsOf } from '../../../../lib/json.ts';
import { bertNormalizer } from './bert-normalizer.ts';
import { classes } from './characters.ts';
import { Charsmap } from './charsmap.ts';
import type { Part } from './part.ts';
import { literal, oniguruma } from './pattern.ts';
import { atOnce, inParts, joined, lowercase, type Normalizer, sequence } from './steps.ts';
import { normalized, type UnicodeForm } from './unicode-forms.ts';

/** A millisecond of work. */
const piecesPerTurn = 8_192;

const marks = new RegExp(classes.markOfStripAccents, 'gv');
const leadingSpace = new RegExp(`^${classes.whiteSpace}+`, 'v');

/** Creates the normalizer. Throws an error that names an unsupported feature. */
export function createNormalizer(part: Part): Normalizer {
  const made = create(part);
  part.end();
  return made;
}

function create(part: Part): Normalizer {
  switch (part.type) {
    case 'Sequence':
      return sequence(part.parts('normalizers').map(createNormalizer));
    case 'BertNormalizer':
      return bertNormalizer(part);
    case 'Precompiled':
      return precompiled(part);
    case 'NFC':
    case 'NFD':
    case 'NFKC':
    case 'NFKD':
      return inParts((text) => normalized(text, part.type as UnicodeForm));
    case 'Lowercase':
      return inParts(lowercase);
    case 'StripAccents':
      return inParts((text) => text.replace(marks, ''));
    case 'Strip':
      return strip(part.boolean('strip_left'), part.boolean('strip_right'));
    case 'Replace':
      return replace(part);
    case 'Prepend': {
      const prefix = part.string('prepend');
      return atOnce((text) => (text === '' ? '' : prefix + text));
    }
    default:
      return part.refuse('this normalizer is not supported');
  }
}

function strip(left: boolean, right: boolean): Normalizer {
  return atOnce((text) => {
    const behind = left ? text.replace(leadingSpace, '') : text;
    if (!right) return behind;
    let end = behind.length;
    while (end > 0 && isSpace(behind[end - 1]!)) end -= 1;
    return behind.slice(0, end);
  });
}

const space = new RegExp(classes.whiteSpace, 'v');
const isSpace = (character: string): boolean => space.test(character);

function replace(part: Part): Normalizer {
  const content = part.string('content');
  const expression = readPattern(part);
  return function* (text) {
    const parts: string[] = [];
    let pieces: string[] = [];
    let last = 0;
    for (const match of text.matchAll(expression)) {
      pieces.push(text.slice(last, match.index), content);
      last = match.index + match[0].length;
      if (pieces.length < piecesPerTurn) continue;
      // Joined now, because millions of pieces would keep the garbage collector busy for longer than a step may take.
      parts.push(pieces.join(''));
      pieces = [];
      yield;
    }
    parts.push(...pieces, text.slice(last));
    return yield* joined(parts);
  };
}

/** Reads the field `pattern`: a literal text or a regular expression. */
export function readPattern(part: Part): RegExp {
  const pattern = fieldsOf(part.field('pattern'));
  if (typeof pattern.String === 'string' && pattern.String !== '') return literal(pattern.String);
  if (typeof pattern.Regex !== 'string') return part.refuse('"pattern" is not supported');
  try {
    return oniguruma(pattern.Regex);
  } catch (error) {
    return part.refuse(`the pattern ${JSON.stringify(pattern.Regex)}: ${messageOf(error)}`);
  }
}

function precompiled(part: Part): Normalizer {
  const encoded = part.string('precompiled_charsmap');
  try {
    return new Charsmap(Buffer.from(encoded, 'base64')).normalizer;
  } catch (error) {
    return part.refuse(messageOf(error));
  }
}
