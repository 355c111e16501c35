import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';

export const jsonl = (lines: readonly unknown[]): string =>
  `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
export const line = (customId: string, body: object, url = '/v1/embeddings') => ({
  custom_id: customId,
  method: 'POST',
  url,
  body,
});

// biome-ignore lint/suspicious/noExplicitAny: the tests read whatever the API returns.
export type Json = any;

/** Sends what OpenAI's SDKs send for files and batches. `sender`: the headers of a session, instead of a key. */
export function batchClient(
  { address, key }: { address: string; key?: string },
  base = '/v1',
  sender: Record<string, string> = { authorization: `Bearer ${key}` },
) {
  const send = async (method: string, path: string, body?: object | FormData, headers = {}) => {
    const isForm = body instanceof FormData;
    const response = await fetch(address + base + path, {
      method,
      headers: {
        ...sender,
        ...(body && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json;');
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: (isJson ? JSON.parse(text) : {}) as Json,
    };
  };
  const upload = async (
    content: string | Uint8Array,
    fields: Record<string, string> = { purpose: 'batch' },
  ) => {
    const form = new FormData();
    form.append('file', new Blob([content as string]), 'in.jsonl');
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    return send('POST', '/files', form);
  };
  const create = async (content: string, endpoint = '/v1/embeddings') => {
    const file = await upload(content);
    assert.equal(file.status, 200, file.text);
    const batch = await send('POST', '/batches', {
      input_file_id: file.json.id,
      endpoint,
      completion_window: '24h',
    });
    assert.equal(batch.status, 200, batch.text);
    return batch.json;
  };
  const ended = async (id: string) => {
    for (;;) {
      const { json } = await send('GET', `/batches/${id}`);
      if (['completed', 'failed', 'expired', 'cancelled'].includes(json.status)) return json;
      await setTimeout(20);
    }
  };
  const content = async (id: string) => {
    const { text } = await send('GET', `/files/${id}/content`);
    return text
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row) as Json);
  };
  return { send, upload, create, ended, content };
}
