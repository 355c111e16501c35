import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Tokenization } from '../../../packages/engine/src/index.ts';
import { type MeantInputType, meantInputType } from '../../api/embedding.ts';
import { TokenizeRequest, TokenizeResponse } from '../../api/tokens.ts';
import type { ServedModel } from '../../embeddings/served-model.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import type { Audience } from '../audience.ts';
import { requestedInputType, usableOffer } from '../embed-texts.ts';
import { withoutIdleTimeout } from '../new-server.ts';
import { callerOf } from '../plugins/authenticate.ts';

/** Registers the route that returns the tokens of texts. */
export function tokenizeRoute(app: App, services: Services, { base, describe }: Audience): void {
  app.post(
    `${base}/tokenize`,
    describe('embed', 'tokenize', 'Get the tokens of texts', {
      description:
        'Returns all tokens of each text, also those beyond the limit of the model, without counting the ' +
        'request. A model of an upstream has no tokenizer here, so it gets 404.',
      body: TokenizeRequest,
      response: { 200: TokenizeResponse },
    }),
    async (request, reply) => {
      const { input, model, input_type: type, add_special_tokens: addSpecialTokens = true } = request.body;
      const { served, json } = await tokenizeTexts(services, request, reply, {
        texts: [input].flat(),
        model,
        inputType: type === undefined ? undefined : meantInputType(type, 'input_type'),
        addSpecialTokens,
        form: 'columns',
      });
      const { name, fingerprint, maxTokens } = served.model;
      const rest = { model: name, fingerprint, max_input_tokens: maxTokens };
      const end = Buffer.from(`],${JSON.stringify(rest).slice(1)}`);
      // As bytes, because the tokens are JSON already.
      return reply
        .type('application/json; charset=utf-8')
        .send(Buffer.concat([Buffer.from('{"object":"list","data":['), ...json, end]) as never);
    },
  );
}

interface Wanted extends Tokenization {
  readonly texts: readonly string[];
  readonly model?: string | undefined;
  readonly inputType: MeantInputType | undefined;
}

/**
 * Returns the tokens of a request's texts as parts of JSON, which form a list without its brackets. The texts are not
 * counted. Throws as `ServedModel.tokenize` does, and as `usableOffer` does.
 */
export async function tokenizeTexts(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  { texts, model, inputType, addSpecialTokens, form }: Wanted,
): Promise<{ served: ServedModel; json: Uint8Array[] }> {
  const caller = callerOf(request);
  const offer = usableOffer(services, request, reply, { model });
  const { served } = offer;
  const json: Uint8Array[] = [];
  let bytes = 0;
  const tokenize = async () => {
    const type = requestedInputType(request, offer, inputType);
    for await (const part of served.tokenize(caller, texts, type, { addSpecialTokens, form })) {
      if (reply.raw.destroyed) break;
      bytes += part.length;
      request.hold.addResponse(bytes);
      if (json.length > 0) json.push(Buffer.from(','));
      json.push(part);
    }
  };
  await withoutIdleTimeout(request.raw.socket, tokenize());
  return { served, json };
}
