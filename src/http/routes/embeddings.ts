import type { FastifyReply, FastifyRequest } from 'fastify';
import { OrgParams } from '../../api/common.ts';
import { EmbeddingsRequest, EmbeddingsResponse, embeddingOptions } from '../../api/embedding.ts';
import { decodeTokens } from '../../embeddings/decode-tokens.ts';
import { notFound, ServiceError } from '../../errors.ts';
import type { InTurn } from '../../lib/fair-turns.ts';
import { thenOrNow } from '../../lib/then-or-now.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';
import { type Embedded, embedTexts } from '../embed-texts.ts';
import { personAsCaller } from '../person-as-caller.ts';
import { principalOn } from '../plugins/identify.ts';
import { recording } from '../record-request.ts';

const description =
  'Returns one embedding per text, in the order of the texts. Texts that the organization has sent before come ' +
  'from its ' +
  'cache. If all of them do, the request is not counted, and is answered even when the quota is used up.';

/**
 * Registers POST /v1/embeddings, or the same at another path, which can name the model as `:model`. `hide`: the
 * description of the API leaves the route out.
 */
export function embeddingsRoute(
  app: App,
  services: Services,
  { url = '/v1/embeddings', hide = false } = {},
): void {
  app.post<{ Params: { model?: string }; Body: EmbeddingsRequest }>(
    url,
    {
      bodyLimit: services.load.bounds.maxBodyBytes,
      ...described('key', 'createEmbeddings', 'Embed texts', {
        hide,
        description,
        body: EmbeddingsRequest,
        response: { 200: EmbeddingsResponse },
      }),
      ...recording(services),
    },
    (request, reply) => {
      const model = request.params.model ?? request.body.model;
      answer(services, request, reply, model)?.catch((reason) => reply.send(reason));
    },
  );
}

/** Registers the route that embeds texts with a session. */
export function ownEmbeddingsRoute(app: App, services: Services): void {
  app.post(
    '/v1/organizations/:org_id/embeddings',
    {
      bodyLimit: services.load.bounds.maxBodyBytes,
      // Vectors hardly shrink.
      compress: false,
      ...described('embed', 'createOwnEmbeddings', 'Embed texts with a session', {
        description: `Works like \`POST /v1/embeddings\`, and is counted in the same way. ${description}`,
        params: OrgParams,
        body: EmbeddingsRequest,
        response: { 200: EmbeddingsResponse },
      }),
      onRequest: personAsCaller(services),
      ...recording(services),
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
  return isUnknown ? notFound('No such organization') : reason;
}

/**
 * Sends the embeddings. Throws or rejects if it can't. Returns a promise only if it has to wait: cached responses take
 * microseconds.
 */
function answer(
  services: Services,
  request: FastifyRequest<{ Body: EmbeddingsRequest }>,
  reply: FastifyReply,
  model = request.body.model,
): void | Promise<void> {
  const { format, type, inputType, truncate, dimensions, expectedFingerprint } = embeddingOptions(
    request.body,
  );
  const send = (embedded: Embedded): void | Promise<void> => {
    const { served, dimensions } = embedded;
    const json = served.encode(embedded, { format, type, dimensions }, request.hold.inTurn);
    return thenOrNow(json, (ready) => sendJson(reply, ready));
  };
  const embed = (texts: readonly string[]): void | Promise<void> => {
    const types = type === 'float' ? undefined : [type];
    const wanted = { inputType, truncate, dimensions, expectedFingerprint, texts, model, types };
    const embedded = embedTexts(services, request, reply, wanted);
    return thenOrNow(embedded, send);
  };
  const texts = textsOf(request.body.input, request.hold.inTurn);
  return thenOrNow(texts, embed);
}

/** Returns the texts of `input`. Token ids have to be decoded first. */
export function textsOf(
  input: EmbeddingsRequest['input'],
  inTurn: InTurn,
): readonly string[] | Promise<readonly string[]> {
  if (!Array.isArray(input)) return [textOf(input)];
  const [first] = input;
  if (typeof first === 'number') return decodeTokens([input as number[]], inTurn, () => 'input');
  if (Array.isArray(first)) return decodeTokens(input as number[][], inTurn);
  return (input as Text[]).map(textOf);
}

type Text = string | { text: string };

const textOf = (text: Text): string => (typeof text === 'string' ? text : text.text);

function sendJson(reply: FastifyReply, json: Buffer): void {
  reply.header('content-type', 'application/json; charset=utf-8').send(json);
}
