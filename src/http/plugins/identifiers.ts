import { nilId, storedId } from '../../lib/ids.ts';
import type { App } from '../app-types.ts';

type Fields = Record<string, unknown>;

/**
 * Converts the identifiers in a request's path and query to the form that the database stores. Other text becomes the nil UUID,
 * so that it gets the same response as an unknown identifier and never reaches a database.
 */
export function identifiers(app: App): void {
  app.addHook<{ Params: Fields; Querystring: Fields }>('onRequest', (request, _reply, done) => {
    for (const fields of [request.params, request.query]) {
      for (const [name, text] of Object.entries(fields)) {
        if (name.endsWith('_id') && typeof text === 'string') fields[name] = storedId(text) ?? nilId;
      }
    }
    done();
  });
}
