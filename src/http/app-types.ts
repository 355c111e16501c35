import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { Action, Principal, Standing } from '../accounts/access.ts';
import type { Caller } from '../keys/authenticate.ts';
import type { Hold } from '../load/hold.ts';

/** Who a route is for: whoever may do an action in the organization that it names, or one of these. */
export type Access = Action | 'identified' | 'user' | 'administrator';

/** The Fastify instance as all plugins and routes see it: types come from the TypeBox schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls with a key, or with a session on a route that is charged; null when the key was refused; undefined when nobody looked. */
    caller: Caller | null | undefined;
    /** Set by the bounds plugin: what the request holds until its response is done. */
    hold: Hold;
    /** Set by the identify plugin: who asks, with a key or a session. */
    principal: Principal | null;
    /** Set by the access plugin: what the principal is to the organization that the route names. */
    standing: Standing;
  }

  interface FastifyContextConfig {
    access?: Access;
  }
}
