import type { SubmitEvent } from 'react';

/** Returns the fields of a submitted form that its reader has changed, since it opened or others changed them. */
export function changedText<Name extends string>(
  event: SubmitEvent<HTMLFormElement>,
  ...names: Name[]
): Partial<Record<Name, string>> {
  const fields = event.currentTarget.elements;
  const isChanged = (name: Name): boolean => {
    const field = fields.namedItem(name);
    if (field instanceof HTMLSelectElement)
      return ![...field.options].some(({ selected, defaultSelected }) => selected && defaultSelected);
    return !(field instanceof HTMLInputElement) || field.value !== field.defaultValue;
  };
  const changed = names.filter(isChanged);
  return formText(event, ...changed) as Partial<Record<Name, string>>;
}

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
