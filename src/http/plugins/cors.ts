import type { App } from '../app-types.ts';

const exposedHeaders = [
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
  'x-should-retry',
];
const preflightLastsSeconds = 7_200;

/**
 * Lets web pages of these origins call the API with a key. Cookies are left out, so that a session is of no use to the pages of
 * other sites.
 */
export async function cors(app: App, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  const { default: plugin } = await import('@fastify/cors');
  await app.register(plugin, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders,
    credentials: false,
    maxAge: preflightLastsSeconds,
  });
}
