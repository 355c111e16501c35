import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../../errors.ts';
import { packageRoot } from '../../version.ts';
import type { App } from '../app-types.ts';
import { sendFile } from '../static-files.ts';

const builtDirectory = fileURLToPath(new URL('web/dist', packageRoot));

/** All pages are the same document, which loads everything else from the API. */
const pages = [
  '/login',
  '/login/forgot',
  '/login/sign-up',
  '/reset-password',
  '/invite',
  '/confirm-address',
  '/key',
  '/organizations',
  '/organizations/*',
  '/account',
  '/users',
  '/service',
];

const documentHeaders = {
  'cache-control': 'no-cache',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'same-origin',
};

/** Files beside the document, whose names never change. */
const files = ['favicon.svg', 'theme.js'];

/** The name of an asset contains a hash of its content. */
const assetCaching = { cacheSeconds: 31_536_000, isImmutable: true };
const fileCaching = { cacheSeconds: 300 };
const options = { schema: { hide: true } };

/**
 * Registers the dashboard's pages, which browsers see below `prefix`. If the dashboard is not built, they are 404.
 * Returns whether it is built.
 */
export function dashboardRoutes(app: App, prefix: string, directory = builtDirectory): boolean {
  if (!existsSync(join(directory, 'index.html'))) {
    absentDashboard(app);
    return false;
  }
  const document = documentBelow(prefix, join(directory, 'index.html'));
  const reference = documentBelow(prefix, join(directory, 'docs.html'));
  // The release before had the earlier ones. A page that it has sent goes on.
  const places = ['assets', 'earlier'].map((place) => join(directory, place));
  const send = (reply: FastifyReply, name: string, text: string) =>
    // Without a prefix, the compressed file beside the document can be sent.
    prefix === '' ? sendFile(reply.headers(documentHeaders), directory, name) : sendText(reply, text);
  app.get('/', options, (_request, reply) => reply.redirect(`${prefix}/organizations`));
  for (const url of pages) app.get(url, options, (_, reply) => send(reply, 'index.html', document));
  for (const url of ['/docs', '/docs/']) {
    app.get(url, options, (_, reply) => send(reply, 'docs.html', reference));
  }
  for (const file of files) {
    app.get(`/${file}`, options, (_request, reply) => sendFile(reply, directory, file, fileCaching));
  }
  app.get<{ Params: { '*': string } }>('/assets/*', options, ({ params: { '*': name } }, reply) =>
    sendFile(reply, places.find((place) => existsSync(join(place, name))) ?? places[0]!, name, assetCaching),
  );
  unknownPages(app, document);
  return true;
}

/** Returns a document whose addresses are below `prefix`. Its scripts read the prefix from `data-base`. */
function documentBelow(prefix: string, file: string): string {
  const html = readFileSync(file, 'utf8');
  if (prefix === '') return html;
  return html
    .replace('<html', `<html data-base="${prefix}"`)
    .replace(/\b(href|src)="\//g, (start) => start.replace('/', `${prefix}/`));
}

const sendText = (reply: FastifyReply, html: string): FastifyReply =>
  reply.headers(documentHeaders).type('text/html; charset=utf-8').send(html);

/** Shows the dashboard, with status 404, to a browser that asks for a page that does not exist. */
function unknownPages(app: App, document: string): void {
  app.addHook('onRequest', async (request, reply): Promise<FastifyReply | undefined> => {
    if (!request.is404 || !isForPage(request)) return undefined;
    return sendText(reply.code(404), document);
  });
}

/**
 * Reports whether a browser requests a page: not a path of the API or of a file, and not as a program, which accepts
 * JSON or anything.
 */
function isForPage({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  // The page repairs a link whose # a mail filter has encoded.
  const path = url.split(/\?|%(?:25)*23token/i, 1)[0] ?? '';
  const isPage = !path.startsWith('/v1/') && !path.slice(path.lastIndexOf('/')).includes('.');
  return isPage && (headers.accept?.includes('text/html') ?? false);
}

function absentDashboard(app: App): void {
  for (const url of ['/', ...pages, '/docs', '/docs/', '/assets/*', ...files.map((file) => `/${file}`)]) {
    app.get(url, options, () => {
      throw notFound('The dashboard is not built. Build it with: npm run build -w web');
    });
  }
}

const document = new URL('docs/openapi.json', packageRoot);

/**
 * Registers `/openapi.json`, which `npm run openapi` generates from the routes. The dashboard has a page that shows
 * it.
 */
export function apiDocsRoutes(app: App, prefix: string): void {
  const description = prefix
    ? JSON.stringify({ ...JSON.parse(readFileSync(document, 'utf8')), servers: [{ url: prefix }] })
    : readFileSync(document);
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(description),
  );
}
