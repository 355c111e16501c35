import type { FastifyContextConfig, FastifySchema } from 'fastify';
import { isObject } from '../../packages/small/src/json.ts';
import { unknownField } from '../api/validation-message.ts';
import { invalidField, type ServiceError } from '../errors.ts';
import type { Access } from './app-types.ts';

/**
 * Returns the options of a route: who may use it and what else it states, and how the description of the API shows it.
 * A response has the lowest status that the schema has.
 */
export function described<Schema extends FastifySchema>(
  stated: Access | 'public' | FastifyContextConfig,
  operationId: string,
  summary: string,
  schema: Schema,
) {
  const config = typeof stated === 'object' ? stated : configOf(stated);
  const status = Number(Object.keys(schema.response ?? {})[0]);
  const preHandler = (_request: unknown, reply: { code(status: number): unknown }, done: () => void) => {
    reply.code(status);
    done();
  };
  const { access, isLenient } = config;
  return {
    config,
    schema: { operationId, summary, ...(isLenient ? schema : closed(schema, access)) },
    ...(status > 200 && { preHandler }),
    ...(!isLenient && schema.body === undefined && { preValidation: refuseFields }),
  };
}

const configOf = (access: Access | 'public'): FastifyContextConfig =>
  access === 'public' ? { waitsFor: 'work' } : { access };

/** Refuses the fields of a body that a route has no use for. */
function refuseFields(
  { body }: { readonly body: unknown },
  _reply: unknown,
  done: (fault?: ServiceError) => void,
): void {
  const [name] = isObject(body) || body == null ? Object.keys(body ?? {}) : ['body'];
  const fault = name === undefined ? undefined : unknownField(name);
  done(fault && invalidField(fault.param, fault.message));
}

/** Proxies and probes add parameters to the addresses of public routes. */
function closed<Schema extends FastifySchema>(schema: Schema, access: Access | undefined): Schema {
  const { body, querystring = access === undefined ? undefined : { type: 'object', properties: {} } } =
    schema;
  return {
    ...schema,
    ...(body !== undefined && { body: withoutOthers(body) }),
    ...(querystring !== undefined && { querystring: withoutOthers(querystring) }),
  };
}

/** Returns a schema whose objects have no other fields than those that it names. */
const withoutOthers = (schema: unknown): unknown =>
  JSON.parse(
    JSON.stringify(schema, (_name, part) =>
      part?.type === 'object' && part.properties ? { ...part, additionalProperties: false } : part,
    ),
  );
