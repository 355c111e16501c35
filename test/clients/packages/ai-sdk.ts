import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, embed, embedMany } from 'ai';
import { type Client, model, openaiErrors } from '../client.ts';

export const aiSdk: Client = {
  name: 'ai, @ai-sdk/openai-compatible',
  formats: ['float'],
  wrongKey: { type: 'AI_APICallError', status: 401 },
  usedUp: { type: 'AI_APICallError', status: 429 },
  async embed({ baseUrl, key }, input, { dimensions } = {}) {
    const provider = createOpenAICompatible({
      name: 'embedgate',
      baseURL: baseUrl,
      apiKey: key,
      headers: openaiErrors,
    });
    const options = {
      model: provider.embeddingModel(model),
      // It ignores `x-should-retry`: by default it would send a request whose quota is used up three times.
      maxRetries: 0,
      ...(dimensions !== undefined && { providerOptions: { embedgate: { dimensions } } }),
    };
    if (typeof input === 'string') return [(await embed({ ...options, value: input })).embedding];
    return (await embedMany({ ...options, values: [...input] })).embeddings;
  },
  seen(reason) {
    if (!APICallError.isInstance(reason)) throw reason;
    return { type: reason.name, status: reason.statusCode, message: reason.message };
  },
};
