import { fieldsOf, isObject } from '../lib/json.ts';

/** The optional fields of each schema, from their first use. */
const optionalFields = new WeakMap<object, ReadonlySet<string>>();

/**
 * Removes optional fields of a body that are `null`, because many clients send `null` for what they leave out. Fields for
 * which `null` has a meaning of its own stay.
 */
export function removeAbsentNulls(body: unknown, schema: unknown): void {
  if (!isObject(body) || !isObject(schema)) return;
  for (const name in body) {
    if (body[name] === null && optionalFieldsOf(schema).has(name)) Reflect.deleteProperty(body, name);
  }
}

function optionalFieldsOf(schema: object): ReadonlySet<string> {
  const known = optionalFields.get(schema);
  if (known) return known;
  const { properties, required = [] } = fieldsOf(schema);
  const optional = Object.entries(fieldsOf(properties)).filter(
    ([name, field]) => !(required as string[]).includes(name) && !takesNull(field),
  );
  const names = new Set(optional.map(([name]) => name));
  optionalFields.set(schema, names);
  return names;
}

const takesNull = (field: unknown): boolean => {
  const { anyOf, type } = fieldsOf(field);
  return type === 'null' || (Array.isArray(anyOf) && anyOf.some(takesNull));
};
