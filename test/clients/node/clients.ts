// Runs the cases of ../clients-checks.ts with clients for Node, and prints what a user of each gets.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

type Wish = 'base64' | 'dimensions' | 'strict';
type Embed = (url: string, key: string, texts: string[], wish?: Wish) => Promise<readonly number[][]>;

interface Case {
  readonly name: string;
  readonly key: string;
  readonly requests: readonly string[][];
  readonly wish?: Wish;
}

const { BASE_URL = '', CASES = '', CLIENTS = '', MODEL: model = '' } = process.env;

const fieldsOf = (wish: Wish | undefined) => ({
  ...(wish === 'base64' && { encoding_format: wish }),
  ...(wish === 'dimensions' && { dimensions: 64 }),
  ...(wish === 'strict' && { truncate: false }),
});

const isOne = (texts: string[]): texts is [string] => texts.length === 1;

/** Returns the vector, which base64 holds as float32 in little-endian order. */
function numbersOf(embedding: number[] | string): number[] {
  if (typeof embedding !== 'string') return embedding;
  const bytes = Buffer.from(embedding, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i));
}

const openai: Embed = async (url, key, texts, wish) => {
  const { default: OpenAI } = await import('openai');
  const client = new OpenAI({ baseURL: url, apiKey: key });
  const input = isOne(texts) ? texts[0] : texts;
  const { data } = await client.embeddings.create({ model, input, ...fieldsOf(wish) });
  // When base64 is requested explicitly, it leaves the decoding to its caller.
  return data.map(({ embedding }) => numbersOf(embedding));
};

async function langchainEmbeddings(url: string, key: string, wish: Wish | undefined) {
  const { OpenAIEmbeddings } = await import('@langchain/openai');
  return new OpenAIEmbeddings({ model, apiKey: key, configuration: { baseURL: url }, ...fieldsOf(wish) });
}

const langchainOpenai: Embed = async (url, key, texts, wish) => {
  const embeddings = await langchainEmbeddings(url, key, wish);
  return isOne(texts) ? [await embeddings.embedQuery(texts[0])] : embeddings.embedDocuments(texts);
};

/** It has no embeddings of its own: its documents get theirs in a vector store. */
const langchain: Embed = async (url, key, texts, wish) => {
  const { Document } = await import('langchain');
  const { MemoryVectorStore } = await import('@langchain/classic/vectorstores/memory');
  const documents = texts.map((pageContent) => new Document({ pageContent }));
  const store = await MemoryVectorStore.fromDocuments(documents, await langchainEmbeddings(url, key, wish));
  return store.memoryVectors.map(({ embedding }) => embedding);
};

const aiSdk: Embed = async (url, key, texts, wish) => {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const { embed, embedMany } = await import('ai');
  const provider = createOpenAICompatible({ name: 'embedgate', baseURL: url, apiKey: key });
  const options = {
    model: provider.embeddingModel(model),
    providerOptions: { embedgate: fieldsOf(wish) },
  };
  if (isOne(texts)) return [(await embed({ ...options, value: texts[0] })).embedding];
  return (await embedMany({ ...options, values: texts })).embeddings;
};

const llamaindex: Embed = async (url, key, texts, wish) => {
  const { OpenAIEmbedding } = await import('@llamaindex/openai');
  const additionalSessionOptions = { baseURL: url };
  const embedding = new OpenAIEmbedding({ model, apiKey: key, additionalSessionOptions, ...fieldsOf(wish) });
  return isOne(texts) ? [await embedding.getTextEmbedding(texts[0])] : embedding.getTextEmbeddings(texts);
};

const curl: Embed = async (url, key, texts, wish) => {
  const { stdout } = await promisify(execFile)('curl', [
    ...['--silent', '--show-error', `${url}/embeddings`, '--write-out', '\n%{http_code}'],
    ...['-H', `Authorization: Bearer ${key}`, '-H', 'Content-Type: application/json'],
    ...['-d', JSON.stringify({ input: isOne(texts) ? texts[0] : texts, ...fieldsOf(wish) })],
  ]);
  const [body = '', status] = stdout.split('\n');
  const { data, error: name, message } = JSON.parse(body);
  if (status !== '200') throw Object.assign(new Error(message), { name, status: Number(status) });
  return data.map(({ embedding }: { embedding: number[] | string }) => numbersOf(embedding));
};

const all: readonly Wish[] = ['base64', 'dimensions', 'strict'];
const clients: Readonly<Record<string, readonly [Embed, path: string, wishes: readonly Wish[]]>> = {
  openai: [openai, '/v1', all],
  // With `encodingFormat: 'base64'` it would return the undecoded text as a vector.
  '@langchain/openai': [langchainOpenai, '/v1', ['dimensions']],
  langchain: [langchain, '/v1', ['dimensions']],
  // It decodes OpenAI's errors only, and sends nothing by which `/v1` could recognize it.
  ai: [aiSdk, '/openai/v1', ['dimensions']],
  '@llamaindex/openai': [llamaindex, '/v1', ['dimensions']],
  curl: [curl, '/v1', all],
};

async function run(name: string, { name: of, key, requests, wish }: Case): Promise<object> {
  const [embed, path] = clients[name]!;
  const url = `${BASE_URL}/@${name.replaceAll(/[ /@]/g, '_')}:${of}@${path}`;
  const vectors: number[][] = [];
  try {
    for (const texts of requests) {
      const own = texts.map((text) => text.replace('CLIENT', name));
      vectors.push(...(await embed(url, key, own, wish)));
    }
    return { vectors };
  } catch (reason) {
    const { name, constructor: by, message, lastError = reason } = reason as Error & { lastError?: object };
    const { status = null, statusCode = status } = lastError as Record<
      'status' | 'statusCode',
      number | null
    >;
    return { error: { type: name === 'Error' ? by.name : name, status: statusCode, message } };
  }
}

// The clients share the limit of `paced`, so there they take turns. Everything else runs at once, because some retry for
// minutes.
let turns: Promise<unknown> = Promise.resolve();
function answered(name: string, one: Case): Promise<object> {
  if (one.name !== 'paced') return run(name, one);
  const answer = turns.then(() => run(name, one));
  turns = answer;
  return answer;
}

const cases = JSON.parse(CASES) as readonly Case[];
const results = CLIENTS.split(';').map(async (name) => {
  const offered = cases.filter(({ wish }) => wish === undefined || clients[name]![2].includes(wish));
  const answers = offered.map(async (one) => [one.name, await answered(name, one)]);
  return [name, Object.fromEntries(await Promise.all(answers))];
});
console.log(JSON.stringify(Object.fromEntries(await Promise.all(results))));
