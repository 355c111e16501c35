/** A JSON object with unvalidated fields. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const areObjects = (value: unknown): value is readonly JsonObject[] =>
  Array.isArray(value) && value.every(isObject);

/** Returns the entry of a table; undefined for a name that objects inherit, such as `constructor`. */
export const ownEntry = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** Returns the unvalidated fields of a value that comes from elsewhere; none if it is not an object. */
export const fieldsOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Returns the value of a JSON text, or undefined if it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the keys of an object whose type lists all of them. */
export const keysOf = <T extends object>(object: T) => Object.keys(object) as (keyof T)[];

const isInteger = (value: unknown): value is number => Number.isInteger(value);

export const isPositiveInteger = (value: unknown): value is number => isInteger(value) && value > 0;

/** Returns the first positive integer among `fields`. */
export function positiveInteger(object: JsonObject, ...fields: readonly string[]): number | undefined {
  return fields.map((field) => object[field]).find(isPositiveInteger);
}
