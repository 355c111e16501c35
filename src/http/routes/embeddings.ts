import type { FastifyReply, FastifyRequest } from 'fastify';
import { EmbeddingsRequest, EmbeddingsResponse, embeddingOptions } from '../../api/embedding.ts';
import { decodeTokens } from '../../embeddings/decode-tokens.ts';
import { notFound, ServiceError } from '../../errors.ts';
import type { InTurn } from '../../lib/fair-turns.ts';
import { thenOrNow } from '../../lib/then-or-now.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import type { Audience } from '../audience.ts';
import { type Embedded, embedTexts } from '../embed-texts.ts';
import { recording } from '../record-request.ts';

/** Registers the route that embeds texts. Its path can name the model as `:model`. */
export function embeddingsRoute(app: App, services: Services, { base, describe }: Audience): void {
  app.post<{ Params: { model?: string }; Body: EmbeddingsRequest }>(
    `${base}/embeddings`,
    {
      // Vectors hardly shrink.
      compress: false,
      ...describe('embed', 'createEmbeddings', 'Embed texts', {
        description:
          'Returns one embedding per text, in the order of the texts. Texts that the organization has sent before ' +
          'come from its cache. If all of them do, the request is not counted, and is answered even when the ' +
          'quota is used up.',
        body: EmbeddingsRequest,
        response: { 200: EmbeddingsResponse },
      }),
      ...recording(services),
    },
    (request, reply) => {
      const model = request.params.model ?? request.body.model;
      answer(services, request, reply, model)?.catch((reason) => reply.send(failureFor(request, reason)));
    },
  );
}

/** The ledger's error for an unknown organization is about a key, but a person sent none. */
function failureFor({ principal }: FastifyRequest, reason: Error): Error {
  const isUnknown = reason instanceof ServiceError && reason.code === 'invalid_api_key';
  return isUnknown && principal?.kind === 'user' ? notFound('No such organization') : reason;
}

/**
 * Sends the embeddings. Throws or rejects if it can't. Returns a promise only if it has to wait: cached responses take
 * microseconds.
 */
function answer(
  services: Services,
  request: FastifyRequest<{ Body: EmbeddingsRequest }>,
  reply: FastifyReply,
  model: string | undefined,
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
