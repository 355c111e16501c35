import { nilId, storedId } from '../../lib/ids.ts';
import type { App } from '../app-types.ts';

/**
 * Rewrites the identifiers in a request's path and query as the database stores them. Text that is not an identifier becomes the
 * nil UUID, so that the request gets the same response as one with an unknown identifier, and the text never reaches a database.
 */
export function identifiers(app: App): void {
  app.addHook('onRequest', (request, _reply, done) => {
    for (const fields of [request.params, request.query] as Record<string, unknown>[]) {
      for (const [name, text] of Object.entries(fields)) {
        if (name.endsWith('_id') && typeof text === 'string') fields[name] = storedId(text) ?? nilId;
      }
    }
    done();
  });
}
