import type { FastifySchema } from 'fastify';
import type { Access } from './app-types.ts';

/**
 * Returns the options of a route: who may use it, and how the description of the API shows it. A response has the
 * lowest status that the schema has.
 */
export function described<Schema extends FastifySchema>(
  access: Access | 'public',
  operationId: string,
  summary: string,
  schema: Schema,
) {
  const config = access === 'public' ? {} : { access };
  const status = Number(Object.keys(schema.response ?? {})[0]);
  const preHandler = (_request: unknown, reply: { code(status: number): unknown }, done: () => void) => {
    reply.code(status);
    done();
  };
  return { config, schema: { operationId, summary, ...schema }, ...(status > 200 && { preHandler }) };
}
