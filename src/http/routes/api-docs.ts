import { readFileSync } from 'node:fs';
import { packageRoot } from '../../version.ts';
import type { App } from '../app-types.ts';

const document = new URL('docs/openapi.json', packageRoot);

/** Registers `/openapi.json`, which `npm run openapi` generates from the routes. The dashboard has a page that shows it. */
export function apiDocsRoutes(app: App): void {
  const description = readFileSync(document);
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(description),
  );
}
