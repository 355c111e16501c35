import type { Type as TypeBox } from 'typebox';

type Schema = Record<string | symbol, unknown>;
type Used =
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'String'
  | 'Union';

// A symbol, so that it stands in no JSON.
const optional = Symbol('optional');

/**
 * TypeBox's builders of JSON Schemas, with TypeBox's types, which `Static` reads. Loading TypeBox itself would take a seventh
 * of every start, for the eleven of its functions that are used here; a test holds them against TypeBox's own.
 */
export const Type = {
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Boolean: (options?: Schema) => ({ type: 'boolean', ...options }),
  Enum: (values: readonly string[], options?: Schema) => ({ enum: values, ...options }),
  Integer: (options?: Schema) => ({ type: 'integer', ...options }),
  Literal: (value: string | number | boolean, options?: Schema) => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Null: (options?: Schema) => ({ type: 'null', ...options }),
  Number: (options?: Schema) => ({ type: 'number', ...options }),
  Object(properties: Record<string, Schema>, options?: Schema) {
    const required = Object.keys(properties).filter((name) => !properties[name]![optional]);
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
  },
  Optional: (schema: Schema) => ({ ...schema, [optional]: true }),
  String: (options?: Schema) => ({ type: 'string', ...options }),
  Union: (schemas: readonly Schema[], options?: Schema) => ({ anyOf: schemas, ...options }),
} as unknown as Pick<typeof TypeBox, Used>;
