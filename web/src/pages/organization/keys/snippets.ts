export const languages = { curl: 'curl', python: 'Python', javascript: 'JavaScript' };
export type Language = keyof typeof languages;

/** Requests to paste, by language, that work unchanged. */
export function snippets(address: string, model: string, key: string): Readonly<Record<Language, string>> {
  return {
    curl: `curl ${address}/v1/embeddings \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"input": "The quick brown fox"}'`,
    python: `from openai import OpenAI

client = OpenAI(base_url="${address}/v1", api_key="${key}")
answer = client.embeddings.create(model="${model}", input=["The quick brown fox"])
print(answer.data[0].embedding)`,
    javascript: `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${address}/v1', apiKey: '${key}' });
const { data } = await client.embeddings.create({ model: '${model}', input: 'The quick brown fox' });
console.log(data[0].embedding);`,
  };
}
