import { diff } from 'node:util';

/** One wrong letter, two that are swapped, or two that are missing or needless. */
const maxEdits = 2;
/** Shorter names, such as HOST, resemble the names of other programs' variables. */
const minLength = 6;

/** Returns the variables that are not settings but nearly have the name of one, with that name. */
export function misspelled(
  variables: readonly string[],
  settings: ReadonlySet<string>,
): { readonly variable: string; readonly setting: string }[] {
  return variables.flatMap((variable) => {
    if (settings.has(variable)) return [];
    const setting = [...settings].find((name) => name.length >= minLength && areClose(variable, name));
    return setting === undefined ? [] : [{ variable, setting }];
  });
}

function areClose(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > maxEdits) return false;
  return diff(one, other).filter(([operation]) => operation !== 0).length <= maxEdits;
}
