import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServedModel } from '../embeddings/served-model.ts';
import type { InputType, Tokenization } from '../engines/engine.ts';
import type { Services } from '../service/services.ts';
import { inputTypeFor, usableOffer } from './embed-texts.ts';
import { withoutIdleTimeout } from './new-server.ts';
import { callerOf } from './plugins/authenticate.ts';

interface Wanted extends Tokenization {
  readonly texts: readonly string[];
  readonly model?: string | undefined;
  readonly inputType: InputType | undefined;
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
  const { served, alias } = usableOffer(services, request, reply, { model });
  const json: Uint8Array[] = [];
  let bytes = 0;
  const tokenize = async () => {
    const type = inputTypeFor(request, alias, inputType);
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
