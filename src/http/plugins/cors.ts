import fastifyCors from '@fastify/cors';
import type { App } from '../app-types.ts';

const exposedHeaders = [
  'deprecation',
  'sunset',
  'x-embedding-fingerprint',
  'x-embedding-truncated',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  ...['requests', 'tokens'].flatMap((unit) =>
    ['limit', 'remaining', 'reset'].map((what) => `x-ratelimit-${what}-${unit}`),
  ),
  'x-request-id',
  'x-should-retry',
];
const preflightLastsSeconds = 7_200;

/**
 * Allows web pages of these origins to call the API with a key. Cookies are not allowed, so that pages of other sites
 * can't use a session.
 */
export async function cors(app: App, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(fastifyCors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders,
    credentials: false,
    maxAge: preflightLastsSeconds,
  });
}
