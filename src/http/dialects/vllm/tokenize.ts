import { Type } from 'typebox';
import { InputText } from '../../../api/tokens.ts';

/** The fields that only vLLM's `/tokenize` has, for a text. */
export const vllmTokenizeFields = {
  prompt: Type.Optional(InputText),
  model: Type.Optional(Type.String()),
  return_token_strs: Type.Optional(Type.Boolean()),
};
