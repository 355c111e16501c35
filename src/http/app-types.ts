import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { EmbedResult } from '../embeddings/embed.ts';
import type { ServiceError } from '../errors.ts';
import type { Caller } from '../keys/authenticate.ts';
import type { Hold } from '../load/hold.ts';
import type { Action, Principal, Relation } from '../organizations/access.ts';
import type { TraceSpan } from '../traces/span.ts';
import type { BodyBound } from './read-body.ts';

/**
 * The callers that may use a route: those who may perform an action in the organization of the path, or without one in
 * the installation, or a class of callers.
 */
export type Access = Action | 'identified' | 'user';

/** The Fastify instance, whose types come from the TypeBox schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller whose quota is charged. Null: the key was refused. Undefined: not checked. */
    caller: Caller | null | undefined;
    /** The name of the model that embeds the request's texts. Empty until it is known. */
    servedModel: string;
    /** How many texts the request has. 0 until it is known. */
    textCount: number;
    /** What was embedded for the request. */
    embedded: EmbedResult | null;
    /** See `QueueTrace`. */
    queueMs: number;
    /** Undefined: the request is not traced. */
    span: TraceSpan | undefined;
    /** The error that the response reports. */
    failure: ServiceError | null;
    /** Set by the bounds plugin: the resources that the request holds until its response has ended. */
    hold: Hold;
    /** Set by the identify plugin: the sender of the request. */
    principal: Principal | null;
    /** Set by the access plugin: the sender's relation to the organization that the path names. */
    relation: Relation;
  }

  interface FastifyContextConfig {
    /** Undefined: the route is public. */
    access?: Access;
    /**
     * What a request waits for. `work`: one of its client's places at work, because it uses the database or checks a
     * password; the default of a route with `access`. `model`: the model's own queue. `file`: a turn of its network; the
     * default of all others. `nothing`: it gets a response whatever the others do.
     */
    waitsFor?: 'work' | 'model' | 'file' | 'nothing';
    /** The setting that bounds the body. The default is `MAX_FORM_KB`. */
    bodyBound?: BodyBound;
    /**
     * Whether other APIs have the route too, whose clients send fields that are unknown here. All other routes refuse such
     * fields, because a restriction that is ignored is worse than an error.
     */
    isLenient?: boolean;
    /** How the route signs people in. The audit log has the attempts that are refused. */
    signsIn?: 'password' | 'code' | 'provider';
  }
}
