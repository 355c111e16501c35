/** Unicode normalization forms with the reference's tables. */
import { classes } from './characters.ts';
import { orderLongRuns } from './mark-order.ts';

export type UnicodeForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

const untouched = new RegExp(`(${classes.notNormalized})`, 'v');

/** Returns the normalization form of a short text. */
export function normalized(text: string, form: UnicodeForm): string {
  const ordered = orderLongRuns(text);
  if (!untouched.test(ordered)) return ordered.normalize(form);
  return ordered
    .split(untouched)
    .map((part, i) => (i % 2 === 1 ? part : part.normalize(form)))
    .join('');
}
