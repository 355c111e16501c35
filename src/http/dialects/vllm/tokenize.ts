import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Services } from '../../../service/services.ts';
import { tokenizeTexts } from '../../tokenize-texts.ts';
import { Text } from '../embed-route.ts';

/** The fields that only vLLM's `/tokenize` has. */
export const vllmTokenizeFields = {
  prompt: Type.Optional(Text),
  model: Type.Optional(Type.String()),
  return_token_strs: Type.Optional(Type.Boolean()),
};

interface Body {
  readonly prompt: string;
  readonly model?: string;
  readonly return_token_strs?: boolean;
  readonly addSpecialTokens: boolean;
}

/** Returns the tokens of one text as vLLM does. */
export async function vllmTokenize(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  { prompt, model, return_token_strs: returnsPieces = false, addSpecialTokens }: Body,
) {
  const wanted = { texts: [prompt], model, inputType: undefined, addSpecialTokens, form: 'columns' } as const;
  const { served, json } = await tokenizeTexts(services, request, reply, wanted);
  const { ids, pieces, count } = JSON.parse(Buffer.concat(json).toString('utf8'));
  return {
    count,
    max_model_len: served.model.maxTokens,
    tokens: ids,
    token_strs: returnsPieces ? pieces : null,
  };
}
