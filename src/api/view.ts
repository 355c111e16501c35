import type { Static, TObject } from 'typebox';
import { isoTime } from '../lib/clock.ts';

type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

type Listed<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;

/** What a record has for a view: the same names in camel case, and times as numbers. */
type Viewed<View> = {
  readonly [Name in keyof View & string as Camel<Name>]: Name extends 'at' | `${string}_at`
    ? number | Extract<View[Name], null>
    : Listed<View[Name]>;
};

/** Returns the function that shows a record as a resource: the fields of its schema, and nothing else of the record. */
export function viewOf<Schema extends TObject>(schema: Schema) {
  const fields = Object.keys(schema.properties).map((name) => ({
    name,
    property: name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    isTime: /(^|_)at$/.test(name),
  }));
  return (record: Viewed<Static<Schema>>): Static<Schema> => {
    const values = record as Record<string, unknown>;
    return Object.fromEntries(
      fields.map(({ name, property, isTime }) => {
        const value = values[property];
        return [name, isTime ? isoTime(value as number | null) : value];
      }),
    ) as Static<Schema>;
  };
}
