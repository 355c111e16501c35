import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type as TypeBox } from 'typebox';
import { Type } from '../../src/http/schemas/type.ts';

describe('the schema builders', () => {
  it('make what TypeBox makes', () => {
    assert.deepEqual(asJson(everyKind(Type)), asJson(everyKind(TypeBox)));
  });

  it('require no property of an object whose properties are all optional', () => {
    const make = (type: Pick<typeof TypeBox, 'Object' | 'Optional' | 'Null'>) =>
      type.Object({ a: type.Optional(type.Null()) });
    assert.deepEqual(asJson(make(Type)), asJson(make(TypeBox)));
    assert.ok(!('required' in make(Type)));
  });
});

/** Each builder, with options and without. */
function everyKind(type: typeof Type) {
  const about = { description: 'what it is' };
  return type.Object(
    {
      array: type.Array(type.Number(), { maxItems: 3 }),
      boolean: type.Boolean(about),
      enum: type.Enum(['a', 'b'], { type: 'string', ...about }),
      integer: type.Integer({ minimum: 1 }),
      literal: type.Literal('x', about),
      number: type.Literal(3),
      nothing: type.Null(about),
      optional: type.Optional(type.String({ minLength: 1 })),
      object: type.Object({ inner: type.String() }),
      union: type.Union([type.Literal(true), type.Null()], about),
    },
    { title: 'Everything', additionalProperties: false },
  );
}

const asJson = (schema: unknown): unknown => JSON.parse(JSON.stringify(schema));
