import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';

// The baseline of the cached response: a bare Fastify route that reads the same request and sends the bytes of a file.

const answer = readFileSync(process.argv[2] as string, 'utf8');
const app = fastify();
app.post('/v1/embeddings', (_request, reply) => {
  reply.header('content-type', 'application/json; charset=utf-8').send(answer);
});
await app.listen({ host: '127.0.0.1', port: 0 });
console.log((app.server.address() as AddressInfo).port);
