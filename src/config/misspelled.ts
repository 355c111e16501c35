import { diff } from 'node:util';
import { sections } from './settings.ts';

/** One wrong letter, two that are swapped, or two that are missing or needless. */
const maxEdits = 2;
/** Shorter names, such as HOST, resemble the names of other programs' variables. */
const minLength = 6;

const names = sections.flat().flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name]));

/** Returns the variables that are not settings but nearly have the name of one, with that name. */
export function misspelled(
  variables: readonly string[],
): { readonly variable: string; readonly setting: string }[] {
  return variables.flatMap((variable) => {
    if (names.includes(variable)) return [];
    const setting = names.find((name) => name.length >= minLength && areClose(variable, name));
    return setting === undefined ? [] : [{ variable, setting }];
  });
}

function areClose(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > maxEdits) return false;
  return diff(one, other).filter(([operation]) => operation !== 0).length <= maxEdits;
}
