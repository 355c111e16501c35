import type { preValidationHookHandler } from 'fastify';
import { fieldsOf } from '../../lib/json.ts';
import type { App } from '../app-types.ts';

/** Converts the `limit` of a list to a number before it is validated: all values of a query are texts. */
export function queryLimit(app: App): void {
  app.addHook('onRoute', (route) => {
    const { properties } = fieldsOf(route.schema?.querystring);
    if (fieldsOf(properties).limit === undefined) return;
    const others = route.preValidation ?? [];
    route.preValidation = [convert, ...(Array.isArray(others) ? others : [others])];
  });
}

const convert: preValidationHookHandler = (request, _reply, done) => {
  const query = request.query as { limit?: unknown };
  if (typeof query.limit === 'string' && /^\d{1,9}$/.test(query.limit)) query.limit = Number(query.limit);
  done();
};
