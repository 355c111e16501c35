import type { preValidationHookHandler } from 'fastify';
import { fieldsOf, isObject } from '../../lib/json.ts';
import type { App } from '../app-types.ts';

/**
 * Removes optional fields of bodies that are `null`, because many clients send `null` for what they leave out. Fields for
 * which `null` has a meaning of its own stay.
 */
export function absentNulls(app: App): void {
  app.addHook('onRoute', (route) => {
    const optional = optionalFields(route.schema?.body);
    if (optional.length === 0) return;
    const remove: preValidationHookHandler = (request, _reply, done) => {
      const { body } = request;
      if (isObject(body))
        for (const name of optional) if (body[name] === null) Reflect.deleteProperty(body, name);
      done();
    };
    route.preValidation = [remove, ...[route.preValidation ?? []].flat()];
  });
}

function optionalFields(schema: unknown): string[] {
  const { properties, required = [] } = fieldsOf(schema);
  return Object.entries(fieldsOf(properties))
    .filter(([name, field]) => !(required as string[]).includes(name) && !takesNull(field))
    .map(([name]) => name);
}

const takesNull = (field: unknown): boolean => {
  const { anyOf, type } = fieldsOf(field);
  return type === 'null' || (Array.isArray(anyOf) && anyOf.some(takesNull));
};
