import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../version.ts';
import type { App } from '../app-types.ts';
import { sendFile } from '../static-files.ts';

const document = new URL('docs/openapi.json', packageRoot);
const swaggerUi = fileURLToPath(new URL('static', import.meta.resolve('@fastify/swagger-ui')));
const fileCaching = { cacheSeconds: 86_400 };

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Embedgate API</title>
    <link rel="icon" href="/favicon.svg">
    <link rel="stylesheet" href="/docs/static/swagger-ui.css">
    <script src="/docs/static/swagger-ui-bundle.js" defer></script>
    <script src="/docs/start.js" defer></script>
  </head>
  <body><div id="swagger-ui"></div></body>
</html>
`;
const start = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null });
`;
const pageHeaders = {
  'cache-control': 'no-cache',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
};

/** Registers `/openapi.json`, which `npm run openapi` generates from the routes, and `/docs`, which shows it. */
export function apiDocsRoutes(app: App): void {
  const description = readFileSync(document);
  const options = { schema: { hide: true } };
  app.get('/openapi.json', options, (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(description),
  );
  for (const url of ['/docs', '/docs/']) {
    app.get(url, options, (_request, reply) =>
      reply.headers(pageHeaders).type('text/html; charset=utf-8').send(page),
    );
  }
  app.get('/docs/start.js', options, (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8').send(start),
  );
  app.get<{ Params: { '*': string } }>('/docs/static/*', options, (request, reply) =>
    sendFile(reply, swaggerUi, request.params['*'], fileCaching),
  );
}
