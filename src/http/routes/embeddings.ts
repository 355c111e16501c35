import type { FastifyReply, FastifyRequest, onErrorHookHandler } from 'fastify';
import { OrgParams } from '../../api/common.ts';
import { EmbeddingsRequest, EmbeddingsResponse } from '../../api/embedding.ts';
import type { EmbedResult } from '../../embeddings/embed.ts';
import type { ModelCatalog } from '../../embeddings/model-catalog.ts';
import type { ServedModel } from '../../embeddings/served-model.ts';
import { ServiceError } from '../../errors.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { withoutIdleTimeout } from '../new-server.ts';
import { callerOf, lookUpsOf } from '../plugins/authenticate.ts';
import { principalOn } from '../plugins/identify.ts';

/** Upper bound for a number in JSON. Base64 needs half as much. */
const bytesPerNumber = 14;

const description =
  'Returns one embedding per text, in the order of the texts. Texts that the organization has sent before come from its ' +
  'cache. If all of them do, the request is not counted, and is answered even when the quota is used up.';

/** Registers POST /v1/embeddings, which is compatible with OpenAI's API. */
export function embeddingsRoute(app: App, services: Services): void {
  app.post(
    '/v1/embeddings',
    {
      bodyLimit: services.load.bounds.maxBodyBytes,
      config: { access: 'key' },
      schema: {
        operationId: 'createEmbeddings',
        summary: 'Embed texts',
        description,
        body: EmbeddingsRequest,
        response: { 200: EmbeddingsResponse },
      },
      onError: countFailures(services),
    },
    (request, reply) => {
      answer(services, request, reply)?.catch((reason) => reply.send(reason));
    },
  );
}

/**
 * Registers the route that embeds texts with a session. Requests are counted under the user's id instead of a key's.
 */
export function ownEmbeddingsRoute(app: App, services: Services): void {
  app.post(
    '/v1/organizations/:org_id/embeddings',
    {
      bodyLimit: services.load.bounds.maxBodyBytes,
      config: { access: 'embed' },
      schema: {
        operationId: 'createOwnEmbeddings',
        summary: 'Embed texts with a session',
        description: `Works like \`POST /v1/embeddings\`, and is counted in the same way. ${description}`,
        params: OrgParams,
        body: EmbeddingsRequest,
        response: { 200: EmbeddingsResponse },
      },
      // Runs before the body is read, so that a refused request is charged to the same caller and gets the same
      // headers.
      onRequest: async (request) => {
        const { org_id: orgId } = request.params;
        const principal = principalOn(request);
        if (principal.kind === 'key') return;
        const { tier } = await lookUpsOf(request)(() => services.organizations.get(orgId));
        request.caller = { keyId: principal.userId, limitsKeyId: principal.userId, orgId, tier };
      },
      onError: countFailures(services),
    },
    async (request, reply) => {
      try {
        await answer(services, request, reply);
        return reply;
      } catch (reason) {
        throw principalOn(request).kind === 'user' ? deletedMeanwhile(reason) : reason;
      }
    },
  );
}

/** The ledger's error for an unknown organization is about a key, but a person sent none. */
function deletedMeanwhile(reason: unknown): unknown {
  const isUnknown = reason instanceof ServiceError && reason.code === 'invalid_api_key';
  return isUnknown ? new ServiceError('not_found', 'No such organization') : reason;
}

function countFailures({ recorder }: Services): onErrorHookHandler {
  return (request, _reply, _reason, done) => {
    if (request.caller) recorder.failed({ ...request.caller, model: request.servedModel });
    done();
  };
}

/**
 * Sends the embeddings. Throws or rejects if it can't. Returns a promise only if it has to wait: cached responses take
 * microseconds.
 */
function answer(
  services: Services,
  request: FastifyRequest<{ Body: EmbeddingsRequest }>,
  reply: FastifyReply,
): void | Promise<void> {
  const { body } = request;
  const served = servedModel(body, services);
  request.servedModel = served.model.name;
  const { orgId, keyId, limitsKeyId, tier } = callerOf(request);
  const texts = typeof body.input === 'string' ? [body.input] : body.input;
  request.hold.addResponse(texts.length * served.model.dimensions * bytesPerNumber);
  const result = served.embed({
    orgId,
    keyId,
    limitsKeyId,
    tier,
    texts,
    inputType: body.input_type ?? 'document',
    truncate: body.truncate ?? true,
    signal: () => clientGoneSignal(reply),
  });
  const send = (embedded: EmbedResult): void | Promise<void> => {
    services.recorder.embedded({ orgId, keyId, model: served.model.name }, embedded);
    const { encoding_format: format = 'float', dimensions = served.model.dimensions } = body;
    const json = served.encode(embedded, { format, dimensions });
    if (json instanceof Promise) return json.then((later) => sendJson(reply, later));
    sendJson(reply, json);
  };
  // Uses the request's socket: the response of a pipelined request has none until the responses before it are sent.
  return result instanceof Promise
    ? withoutIdleTimeout(request.raw.socket, refusedInTurn(request, result)).then(send)
    : send(result);
}

/** Settles as the result does, but a refusal by the queue waits for its turn. */
async function refusedInTurn<R>(request: FastifyRequest, result: Promise<R>): Promise<R> {
  try {
    return await result;
  } catch (reason) {
    if (reason instanceof ServiceError && reason.code === 'overloaded') await request.hold.takeRefusalTurn();
    throw reason;
  }
}

function sendJson(reply: FastifyReply, json: Buffer): void {
  reply.header('content-type', 'application/json; charset=utf-8').send(json);
}

/**
 * Returns the model that the request names, or the default. Throws `invalid_request` if it is unknown or its vectors
 * are too small.
 */
function servedModel(body: EmbeddingsRequest, { models }: Services): ServedModel {
  const served = body.model === undefined ? models.default : models.get(body.model);
  if (!served) throw unknownModel(body.model!, models);
  const { name, dimensions } = served.model;
  if (body.dimensions !== undefined && body.dimensions > dimensions) {
    throw new ServiceError('invalid_request', `dimensions must be 1 to ${dimensions} for ${name}`, {
      param: 'dimensions',
    });
  }
  return served;
}

function unknownModel(name: string, models: ModelCatalog): ServiceError {
  const served = models.all.map(({ model }) => `"${model.name}"`).join(' or ');
  const shown = name.slice(0, 100).replace(/\p{C}/gu, '\ufffd');
  return new ServiceError(
    'invalid_request',
    `model "${shown}" is not served here. Use ${served}, or have your operator add the name to EMBEDDING_MODEL_ALIASES`,
    { param: 'model' },
  );
}

function clientGoneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
}
