import { OpenAIEmbeddings } from '@langchain/openai';
import { type Client, model } from '../client.ts';
import { openaiError } from './openai.ts';

export const langchain: Client = {
  name: '@langchain/openai',
  // With `encodingFormat: 'base64'` it returns the undecoded text as a vector; by default, it requests base64
  // and decodes it.
  formats: ['base64', 'float'],
  wrongKey: { type: 'AuthenticationError', status: 401 },
  usedUp: { type: 'RateLimitError', status: 429 },
  unavailable: { type: 'InternalServerError', status: 503, attempts: 7 },
  async embed({ baseUrl, key }, input, { dimensions, format } = {}) {
    const embeddings = new OpenAIEmbeddings({
      model,
      apiKey: key,
      configuration: { baseURL: baseUrl },
      ...(dimensions !== undefined && { dimensions }),
      ...(format === 'float' && { encodingFormat: format }),
    });
    return typeof input === 'string'
      ? [await embeddings.embedQuery(input)]
      : embeddings.embedDocuments([...input]);
  },
  seen: openaiError,
};
