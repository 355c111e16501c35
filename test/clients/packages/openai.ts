import OpenAI from 'openai';
import { type Client, model, numbersOf } from '../client.ts';

export const openai: Client = {
  name: 'openai',
  formats: ['base64', 'float'],
  wrongKey: { type: 'AuthenticationError', status: 401 },
  usedUp: { type: 'RateLimitError', status: 429 },
  unavailable: { type: 'InternalServerError', status: 503, attempts: 3 },
  async embed({ baseUrl, key }, input, { dimensions, format } = {}) {
    const client = new OpenAI({ baseURL: baseUrl, apiKey: key });
    const { data } = await client.embeddings.create({
      model,
      input: typeof input === 'string' ? input : [...input],
      ...(dimensions !== undefined && { dimensions }),
      ...(format !== undefined && { encoding_format: format }),
    });
    // When base64 is requested explicitly, it leaves the decoding to its caller.
    return data.map(({ embedding }) => numbersOf(embedding));
  },
  seen: openaiError,
};

export function openaiError(reason: unknown) {
  if (!(reason instanceof Error)) throw reason;
  const { status } = reason as { status?: number };
  return { type: reason.constructor.name, status, message: reason.message };
}
