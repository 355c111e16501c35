import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { type Client, numbersOf } from './client.ts';

class HttpError extends Error {
  readonly status: number;

  constructor(status: number, body: string) {
    super(body);
    this.status = status;
  }
}

export const curl: Client = {
  name: 'curl',
  formats: ['float', 'base64'],
  wrongKey: { type: 'invalid_api_key', status: 401 },
  usedUp: { type: 'rate_limit_exceeded', status: 429 },
  unavailable: { type: 'unavailable', status: 503, attempts: 1 },
  async embed({ baseUrl, key }, input, { dimensions, format } = {}) {
    const body = JSON.stringify({ input, dimensions, encoding_format: format });
    const { stdout } = await promisify(execFile)('curl', [
      ...['--silent', '--show-error', `${baseUrl}/embeddings`, '--write-out', '\n%{http_code}'],
      ...['-H', `Authorization: Bearer ${key}`, '-H', 'Content-Type: application/json', '-d', body],
    ]);
    const [answer = '', status] = stdout.split('\n');
    if (status !== '200') throw new HttpError(Number(status), answer);
    const { data } = JSON.parse(answer) as { data: { embedding: number[] | string }[] };
    return data.map(({ embedding }) => numbersOf(embedding));
  },
  seen(reason) {
    if (!(reason instanceof HttpError)) throw reason;
    const { error, message } = JSON.parse(reason.message) as { error: string; message: string };
    return { type: error, status: reason.status, message };
  },
};

/** The reason to skip curl, or undefined. */
export const missingCurl: ReadonlyMap<Client, string> = spawnSync('curl', ['--version']).error
  ? new Map([[curl, 'curl is not installed']])
  : new Map();
