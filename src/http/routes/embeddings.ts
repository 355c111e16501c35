import type { FastifyReply, FastifyRequest, onErrorHookHandler } from 'fastify';
import type { EmbedResult } from '../../embeddings/embed.ts';
import type { ModelCatalog } from '../../embeddings/model-catalog.ts';
import type { ServedModel } from '../../embeddings/served-model.ts';
import { ServiceError } from '../../errors.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { withoutIdleTimeout } from '../idle-timeout.ts';
import { callerOf, lookUpsOf } from '../plugins/authenticate.ts';
import { principalOn } from '../plugins/identify.ts';
import { commonErrors, ErrorBody, OrgParams } from '../schemas/common.ts';
import { EmbeddingsRequest, EmbeddingsResponse } from '../schemas/embeddings.ts';

/** At most, of JSON; base64 needs half of it. */
const bytesPerNumber = 14;

const description =
  'The order of the answers is that of the texts. Texts that this organization has sent before come from its ' +
  'cache; where all do, the request is not counted, and is answered even when the quota is used up.';

/** POST /v1/embeddings, as OpenAI's API has it. */
export function embeddingsRoute(app: App, services: Services): void {
  app.post(
    '/v1/embeddings',
    {
      bodyLimit: services.load.bounds.maxBodyBytes,
      schema: {
        operationId: 'createEmbeddings',
        summary: 'Embed texts',
        description,
        tags: ['Embeddings'],
        security: [{ apiKey: [] }],
        body: EmbeddingsRequest,
        response: responses,
      },
      onError: countFailures(services),
    },
    (request, reply) => {
      answer(services, request, reply)?.catch((reason) => reply.send(reason));
    },
  );
}

/** The same for people: counted like any request, under the user's id where a key's would stand. */
export function ownEmbeddingsRoute(app: App, services: Services): void {
  app.post(
    '/v1/organizations/:org_id/embeddings',
    {
      bodyLimit: services.load.bounds.maxBodyBytes,
      config: { access: 'embed' },
      schema: {
        operationId: 'createOwnEmbeddings',
        summary: 'Embed texts with a session',
        description: `As \`POST /v1/embeddings\`, and counted as that. ${description}`,
        tags: ['Embeddings'],
        params: OrgParams,
        body: EmbeddingsRequest,
        response: responses,
      },
      // Before the body is read, so that a refused request is charged to the same caller, and shows the same headers.
      onRequest: async (request) => {
        const { org_id: orgId } = request.params;
        const principal = principalOn(request);
        if (principal.kind === 'key') return;
        const { tier } = await lookUpsOf(request)(() => services.organizations.get(orgId));
        request.caller = { keyId: principal.userId, orgId, tier };
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

/** The ledger refuses an unknown organization as it refuses an unknown key. A person sent no key. */
function deletedMeanwhile(reason: unknown): unknown {
  const isUnknown = reason instanceof ServiceError && reason.code === 'invalid_api_key';
  return isUnknown ? new ServiceError('not_found', 'No such organization') : reason;
}

const responses = {
  200: EmbeddingsResponse,
  ...commonErrors,
  408: ErrorBody,
  413: ErrorBody,
  415: ErrorBody,
  429: ErrorBody,
};

function countFailures({ recorder }: Services): onErrorHookHandler {
  return (request, _reply, _reason, done) => {
    if (request.caller) recorder.failed(request.caller);
    done();
  };
}

/** Sends the embeddings. Throws, or rejects, where there are none. */
function answer(
  services: Services,
  request: FastifyRequest<{ Body: EmbeddingsRequest }>,
  reply: FastifyReply,
): void | Promise<void> {
  const { body } = request;
  const served = servedModel(body, services);
  const { orgId, keyId } = callerOf(request);
  const texts = typeof body.input === 'string' ? [body.input] : body.input;
  request.hold.addResponse(texts.length * served.model.dimensions * bytesPerNumber);
  const result = served.embed({
    orgId,
    keyId,
    texts,
    inputType: body.input_type ?? 'document',
    truncate: body.truncate ?? true,
    signal: () => clientGoneSignal(reply),
  });
  const send = (embedded: EmbedResult): void | Promise<void> => {
    services.recorder.embedded({ orgId, keyId }, embedded);
    const { encoding_format: format = 'float', dimensions = served.model.dimensions } = body;
    const json = served.encode(embedded, { format, dimensions });
    if (json instanceof Promise) return json.then((later) => sendJson(reply, later));
    sendJson(reply, json);
  };
  // The request's socket: the response of a pipelined request has none before those ahead of it are sent.
  // Without a promise where none is needed: a cached answer takes a few microseconds.
  return result instanceof Promise ? withoutIdleTimeout(request.raw.socket, result).then(send) : send(result);
}

function sendJson(reply: FastifyReply, json: Buffer): void {
  reply.header('content-type', 'application/json; charset=utf-8').send(json);
}

/** The model that a request names, or the default. Throws where there is none of that name, or its vectors are smaller. */
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
  return new ServiceError(
    'invalid_request',
    `model "${name.slice(0, 100).replace(/\p{C}/gu, '\ufffd')}" is not served here; use ${served}`,
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
