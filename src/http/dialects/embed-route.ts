import type { FastifyReply, FastifyRequest, preValidationAsyncHookHandler } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { jsonWithVectors } from '../../embeddings/encode.ts';
import { notFound } from '../../errors.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { type Embedded, embedTexts, type Wanted } from '../embed-texts.ts';
import { recording } from '../record-request.ts';

export interface EmbedRoute<Body extends TSchema> {
  readonly urls: readonly string[];
  readonly body: Body;
  readonly preValidation?: preValidationAsyncHookHandler;
  /** Reads the request. Throws a ServiceError for what is not served. */
  wanted(body: Static<Body>, services: Services): Wanted;
  /** Returns the response. `vectors` has the size that was asked for. */
  view(embedded: Embedded, vectors: readonly Float32Array[], of: Answered<Static<Body>>): unknown;
}

/** A request, and what it asked for. */
interface Answered<Body> {
  readonly body: Body;
  readonly asked: Wanted;
  readonly request: FastifyRequest;
}

/**
 * Registers a dialect's route for embeddings. Its texts are counted, cached and queued like those of
 * `/v1/embeddings`.
 */
export function embedRoute<Body extends TSchema>(
  app: App,
  services: Services,
  route: EmbedRoute<Body>,
): void {
  const { urls, body: schema, preValidation, wanted, view } = route;
  const respond = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const body = request.body as Static<Body>;
    const asked = wanted(body, services);
    const embedded = await embedTexts(services, request, reply, asked);
    const vectors = embedded.served.vectorsOf(embedded, embedded.dimensions);
    const json = await jsonWithVectors(
      view(embedded, vectors, { body, asked, request }),
      request.hold.inTurn,
    );
    return reply.type('application/json; charset=utf-8').send(json);
  };
  for (const url of urls) {
    app.post(
      url,
      {
        config: { access: 'embed', waitsFor: 'model', bodyBound: 'MAX_BODY_KB' },
        schema: { hide: true, body: schema },
        ...(preValidation && { preValidation }),
        ...recording(services),
      },
      respond,
    );
  }
}

/** Registers routes that a dialect has and this service doesn't, so that the error says so. */
export function refusedRoutes(app: App, urls: Readonly<Record<string, string>>): void {
  for (const [url, why] of Object.entries(urls)) {
    app.post(url, { config: { access: 'embed' }, schema: { hide: true } }, () => {
      throw notFound(`${url} is not served here: ${why}`);
    });
  }
}
