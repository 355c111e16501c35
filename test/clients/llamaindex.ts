import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type Client, model, openaiErrors } from './client.ts';
import { openaiError } from './openai.ts';

interface Embedding {
  getTextEmbedding(text: string): Promise<number[]>;
  getTextEmbeddings(texts: string[]): Promise<number[][]>;
}
type Library = { readonly OpenAIEmbedding: new (options: object) => Embedding };

/** The directory where `npm run test:llamaindex` has installed the library: it is too large to be installed for everyone. */
const directory = process.env.LLAMAINDEX_DIRECTORY;

export const noLlamaindex = directory ? false : 'LlamaIndex is not installed: npm run test:llamaindex';

async function library(): Promise<Library> {
  const file = createRequire(`${directory}/package.json`).resolve('@llamaindex/openai');
  return (await import(pathToFileURL(file).href)) as Library;
}

export const llamaindex: Client = {
  name: '@llamaindex/openai',
  formats: ['base64'],
  wrongKey: { type: 'AuthenticationError', status: 401 },
  usedUp: { type: 'RateLimitError', status: 429 },
  async embed({ baseUrl, key }, input, { dimensions } = {}) {
    const { OpenAIEmbedding } = await library();
    const embedding = new OpenAIEmbedding({
      model,
      apiKey: key,
      additionalSessionOptions: { baseURL: baseUrl, defaultHeaders: openaiErrors },
      ...(dimensions !== undefined && { dimensions }),
    });
    return typeof input === 'string'
      ? [await embedding.getTextEmbedding(input)]
      : embedding.getTextEmbeddings([...input]);
  },
  seen: openaiError,
};
