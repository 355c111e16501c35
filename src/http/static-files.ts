import { once } from 'node:events';
import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import type { App } from './app-types.ts';

const secondMs = 1_000;

/** Lets routes send files with `sendFile`. */
export async function staticFiles(app: App): Promise<void> {
  // Each call of `sendFile` names its own directory.
  await app.register(fastifyStatic, {
    root: import.meta.dirname,
    serve: false,
    preCompressed: true,
    cacheControl: false,
  });
}

/**
 * Sends a file of a directory, compressed where a compressed one lies beside it and the client accepts it. `cacheSeconds`: how long a
 * browser may keep the file without asking again. `isImmutable`: the name never stands for other content.
 */
export async function sendFile(
  reply: FastifyReply,
  directory: string,
  path: string,
  { cacheSeconds = 0, isImmutable = false }: { cacheSeconds?: number; isImmutable?: boolean } = {},
): Promise<FastifyReply> {
  // Only the first of several pipelined responses may open a file: the others wait until they have the socket.
  if (!reply.raw.socket) await once(reply.raw, 'socket');
  return reply.sendFile(path, directory, {
    cacheControl: cacheSeconds > 0,
    maxAge: cacheSeconds * secondMs,
    immutable: isImmutable,
  });
}
