import type { preValidationHookHandler } from 'fastify';
import { fieldsOf } from '../../../packages/small/src/json.ts';
import type { App } from '../app-types.ts';

/** Converts the numbers of a query before they are validated: all values of a query are texts. */
export function queryNumbers(app: App): void {
  app.addHook('onRoute', (route) => {
    const properties = fieldsOf(fieldsOf(route.schema?.querystring).properties);
    const names = Object.keys(properties).filter((name) =>
      ['integer', 'number'].includes(String(fieldsOf(properties[name]).type)),
    );
    if (names.length === 0) return;
    const others = route.preValidation ?? [];
    route.preValidation = [convert(names), ...(Array.isArray(others) ? others : [others])];
  });
}

const convert =
  (names: readonly string[]): preValidationHookHandler =>
  (request, _reply, done) => {
    const query = request.query as Record<string, unknown>;
    for (const name of names) {
      const text = query[name];
      if (typeof text === 'string' && /^\d{1,9}(\.\d{1,9})?$/.test(text)) query[name] = Number(text);
    }
    done();
  };
