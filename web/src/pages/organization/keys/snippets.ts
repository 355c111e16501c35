import { base } from '../../../lib/base.ts';

export const languages = { curl: 'curl', python: 'Python', javascript: 'JavaScript', langchain: 'LangChain' };
export type Language = keyof typeof languages;

/** Where all errors are OpenAI's: programs with an HTTP client of their own read no others. */
export const programAddress = (): string => `${location.origin}${base}/openai/v1`;

interface Request {
  /** The key, or a placeholder for it. */
  readonly secret: string;
  /** Undefined: the service's default. */
  readonly model?: string | undefined;
  readonly input?: string | readonly string[];
  /** Further fields of the request. */
  readonly more?: Readonly<Record<string, string | number>>;
}

/** Requests to paste, by language, that work unchanged. */
export function snippets({
  secret,
  model = 'default',
  input = 'The quick brown fox',
  more = {},
}: Request): Readonly<Record<Language, string>> {
  const service = location.origin + base;
  const fields = Object.entries(more);
  const python = fields.map(([name, value]) => `, ${name}=${JSON.stringify(value)}`).join('');
  const javascript = fields.map(([name, value]) => `\n  ${name}: ${JSON.stringify(value)},`).join('');
  return {
    curl: `curl ${service}/v1/embeddings \\
  -H 'Authorization: Bearer ${secret}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify({ model, input, ...more }).replaceAll("'", "'\\''")}'`,
    python: `from openai import OpenAI

client = OpenAI(base_url="${service}/v1", api_key="${secret}")
answer = client.embeddings.create(model="${model}", input=${JSON.stringify(input)}${python})
print(answer.data[0].embedding)`,
    javascript: `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${service}/v1', apiKey: '${secret}' });
const { data } = await client.embeddings.create({
  model: '${model}',
  input: ${JSON.stringify(input)},${javascript}
});
console.log(data[0].embedding);`,
    langchain: `from langchain_openai import OpenAIEmbeddings

embeddings = OpenAIEmbeddings(
    base_url="${service}/v1", api_key="${secret}", model="${model}"
)
print(embeddings.embed_documents(${JSON.stringify([input].flat())}))`,
  };
}
