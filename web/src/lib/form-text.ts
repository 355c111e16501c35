import type { SubmitEvent } from 'react';

/** Returns the text of a submitted form's fields by name, and stays on the page. */
export function formText<Name extends string>(
  event: SubmitEvent<HTMLFormElement>,
  ...names: Name[]
): Record<Name, string> {
  event.preventDefault();
  const data = new FormData(event.currentTarget);
  return Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '')])) as Record<
    Name,
    string
  >;
}

/** Returns the fields that differ from what they were filled with: others may have changed the rest meanwhile. */
export const changedText = <Values extends Record<string, string>>(before: Values, after: Values) =>
  Object.fromEntries(
    Object.entries(after).filter(([name, text]) => text !== before[name]),
  ) as Partial<Values>;
