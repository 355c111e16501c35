import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { App } from '../app-types.ts';
import { pages } from './dashboard-paths.ts';

const documentHeaders = {
  'cache-control': 'no-cache',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'same-origin',
};

/** Assets are named by their content, so that a name never means anything else. */
const assetCaching = 'public, max-age=31536000, immutable';
const iconCaching = 'public, max-age=86400';

/** The built dashboard in `directory`, where each file lies compressed as well. */
export async function dashboardRoutes(app: App, directory: string): Promise<void> {
  const assets = join(directory, 'assets');
  await app.register(fastifyStatic, {
    root: directory,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, file) => {
      if (file.startsWith(assets)) reply.header('cache-control', assetCaching);
      if (file.includes('favicon')) reply.header('cache-control', iconCaching);
    },
  });

  app.get('/', (_request, reply) => reply.redirect('/organizations'));
  for (const url of pages) {
    app.get(url, (_request, reply) => reply.headers(documentHeaders).sendFile('index.html'));
  }
  // Sent as text: a file's own route would say that nothing has changed, with 304, where the status is the point.
  const page = await readFile(join(directory, 'index.html'), 'utf8');
  app.get('/*', (_request, reply) =>
    reply.code(404).headers(documentHeaders).type('text/html; charset=utf-8').send(page),
  );
  app.get('/favicon.svg', (_request, reply) => reply.sendFile('favicon.svg'));
  app.get<{ Params: { '*': string } }>('/assets/*', (request, reply) =>
    reply.sendFile(request.params['*'], assets),
  );
}
