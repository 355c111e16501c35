import { OpenAIEmbedding } from '@llamaindex/openai';
import { type Client, model } from '../client.ts';
import { openaiError } from './openai.ts';

export const llamaindex: Client = {
  name: '@llamaindex/openai',
  formats: ['base64'],
  wrongKey: { type: 'AuthenticationError', status: 401 },
  usedUp: { type: 'RateLimitError', status: 429 },
  unavailable: { type: 'InternalServerError', status: 503, attempts: 11 },
  async embed({ baseUrl, key }, input, { dimensions } = {}) {
    const embedding = new OpenAIEmbedding({
      model,
      apiKey: key,
      additionalSessionOptions: { baseURL: baseUrl },
      ...(dimensions !== undefined && { dimensions }),
    });
    return typeof input === 'string'
      ? [await embedding.getTextEmbedding(input)]
      : embedding.getTextEmbeddings([...input]);
  },
  seen: openaiError,
};
