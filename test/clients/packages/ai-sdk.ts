import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, embed, embedMany, RetryError } from 'ai';
import { type Client, model } from '../client.ts';

export const aiSdk: Client = {
  name: 'ai, @ai-sdk/openai-compatible',
  formats: ['float'],
  wrongKey: { type: 'AI_APICallError', status: 401 },
  usedUp: { type: 'AI_APICallError', status: 429 },
  unavailable: { type: 'AI_RetryError', status: 503, attempts: 3 },
  async embed({ baseUrl, key }, input, { dimensions, retries } = {}) {
    const provider = createOpenAICompatible({
      name: 'embedgate',
      // It decodes OpenAI's errors only, and sends nothing by which `/v1` could recognize it.
      baseURL: baseUrl.replace('/v1', '/openai/v1'),
      apiKey: key,
    });
    const options = {
      model: provider.embeddingModel(model),
      // It ignores `x-should-retry`: by default it would send a request whose quota is used up three times.
      ...(!retries && { maxRetries: 0 }),
      ...(dimensions !== undefined && { providerOptions: { embedgate: { dimensions } } }),
    };
    if (typeof input === 'string') return [(await embed({ ...options, value: input })).embedding];
    return (await embedMany({ ...options, values: [...input] })).embeddings;
  },
  seen(reason) {
    const cause = RetryError.isInstance(reason) ? reason.lastError : reason;
    if (!APICallError.isInstance(cause)) throw reason;
    const { name, message } = reason as Error;
    return { type: name, status: cause.statusCode, message };
  },
};
