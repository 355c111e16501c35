import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

// An upstream that computes nothing: what a gateway in front of it costs is all that can be measured. It prints its
// port. A text's vector is one of a few, which are ready in both formats.

const dimensions = 384;
const vectors = 64;

const ready = Array.from({ length: vectors }, (_, seed) => {
  const values = Float32Array.from({ length: dimensions }, (_, i) => Math.sin((seed + 1) * (i + 1)));
  const unit = values.map((value) => value / Math.hypot(...values));
  return {
    float: JSON.stringify(Array.from(unit)),
    base64: JSON.stringify(Buffer.from(unit.buffer).toString('base64')),
  };
});

const server = createServer(async (request, response) => {
  if (request.method !== 'POST') return response.writeHead(404).end();
  const { input, encoding_format } = (await json(request)) as Request;
  const format = encoding_format === 'base64' ? 'base64' : 'float';
  const texts = typeof input === 'string' ? [input] : input;
  const data = texts.map((text, index) => {
    const { [format]: embedding } = ready[(text.length + text.charCodeAt(0)) % vectors]!;
    return `{"object":"embedding","index":${index},"embedding":${embedding}}`;
  });
  const usage = `{"prompt_tokens":${texts.length},"total_tokens":${texts.length}}`;
  const body = `{"object":"list","model":"measured","data":[${data.join(',')}],"usage":${usage}}`;
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  return response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));

interface Request {
  readonly input: string | readonly string[];
  readonly encoding_format?: string;
}
