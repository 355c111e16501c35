import type { FastifyReply } from 'fastify';
import type { EmbedResult } from '../../embeddings/embed.ts';
import { ServiceError } from '../../errors.ts';
import type { Services } from '../../services.ts';
import type { App } from '../app-types.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { commonErrors, ErrorBody } from '../schemas/common.ts';
import { EmbeddingsRequest, EmbeddingsResponse } from '../schemas/embeddings.ts';

/** POST /v1/embeddings, as OpenAI's API has it. */
export function embeddingsRoute(app: App, services: Services): void {
  const { recorder } = services;

  app.post(
    '/v1/embeddings',
    {
      schema: {
        operationId: 'createEmbeddings',
        summary: 'Embed texts',
        description:
          'The order of the answers is that of the texts. Texts that this organization has sent before come from its ' +
          'cache; where all do, the request is not counted, and is answered even when the quota is used up.',
        tags: ['Embeddings'],
        security: [{ apiKey: [] }],
        body: EmbeddingsRequest,
        response: {
          200: EmbeddingsResponse,
          ...commonErrors,
          408: ErrorBody,
          413: ErrorBody,
          415: ErrorBody,
          429: ErrorBody,
        },
      },
      onError: (request, _reply, _reason, done) => {
        if (request.caller) recorder.failed(request.caller);
        done();
      },
    },
    (request, reply) => {
      const { body } = request;
      refuseUnservable(body, services);
      const { orgId, keyId } = callerOf(request);
      const result = services.embed({
        orgId,
        keyId,
        texts: typeof body.input === 'string' ? [body.input] : body.input,
        inputType: body.input_type ?? 'document',
        truncate: body.truncate ?? true,
        signal: () => clientGoneSignal(reply),
      });
      const answer = (embedded: EmbedResult): void | Promise<void> => {
        recorder.embedded({ orgId, keyId }, embedded);
        const { encoding_format: format = 'float', dimensions = services.model.dimensions } = body;
        const text = services.encode(embedded, { format, dimensions });
        if (text instanceof Promise) return text.then((later) => sendJson(reply, later));
        sendJson(reply, text);
      };
      // Without a promise where none is needed: a cached answer takes a few microseconds.
      if (result instanceof Promise) result.then(answer).catch((reason) => reply.send(reason));
      else answer(result)?.catch((reason) => reply.send(reason));
    },
  );
}

function sendJson(reply: FastifyReply, json: string): void {
  reply.header('content-type', 'application/json; charset=utf-8').send(json);
}

function refuseUnservable(body: EmbeddingsRequest, { model }: Services): void {
  if (body.model !== undefined && body.model !== model.name) {
    throw new ServiceError(
      'invalid_request',
      `model "${body.model.slice(0, 100)}" is not served here; use "${model.name}"`,
      {
        param: 'model',
      },
    );
  }
  if (body.dimensions !== undefined && body.dimensions > model.dimensions) {
    throw new ServiceError(
      'invalid_request',
      `dimensions must be 1 to ${model.dimensions} for ${model.name}`,
      {
        param: 'dimensions',
      },
    );
  }
}

function clientGoneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
}
