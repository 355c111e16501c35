import { classes } from './characters.ts';
import type { Part } from './part.ts';
import { inParts, lowercase, type Normalizer, sequence } from './steps.ts';
import { normalized } from './unicode-forms.ts';

const removed = new RegExp(classes.removedByBert, 'gv');
const space = new RegExp(classes.whiteSpace, 'gv');
const ideograph = new RegExp(classes.ideograph, 'gv');
const mark = new RegExp(classes.markOfBert, 'gv');
const plain = /^[ -~]*$/;

export function bertNormalizer(part: Part): Normalizer {
  const cleans = part.boolean('clean_text');
  const setsApart = part.boolean('handle_chinese_chars');
  const lowers = part.boolean('lowercase');
  const strips = part.field('strip_accents') === null ? lowers : part.boolean('strip_accents', lowers);
  const clean = inParts((text) => (plain.test(text) ? text : text.replace(removed, '').replace(space, ' ')));
  const change = inParts((text) => {
    if (plain.test(text)) return lowers ? text.toLowerCase() : text;
    let changed = setsApart ? text.replace(ideograph, ' $& ') : text;
    if (strips) changed = normalized(changed, 'NFD').replace(mark, '');
    return lowers ? lowercase(changed) : changed;
  });
  return cleans ? sequence([clean, change]) : change;
}
