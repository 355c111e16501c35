import type { FastifySchema } from 'fastify';
import type { Access } from './app-types.ts';

/** Returns the options of a route: who may use it, and how the description of the API shows it. */
export function described<Schema extends FastifySchema>(
  access: Access | 'public',
  operationId: string,
  summary: string,
  schema: Schema,
) {
  const config = access === 'public' ? {} : { access };
  return { config, schema: { operationId, summary, ...schema } };
}
