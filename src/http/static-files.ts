import { once } from 'node:events';
import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import { notFound } from '../errors.ts';
import type { App } from './app-types.ts';

const secondMs = 1_000;

/** Registers the plugin that `sendFile` needs. */
export async function staticFiles(app: App): Promise<void> {
  await app.register(fastifyStatic, {
    root: import.meta.dirname,
    serve: false,
    preCompressed: true,
    cacheControl: false,
  });
}

/**
 * Sends a file from a directory. Sends the compressed file beside it if there is one that the client accepts. Browsers
 * may keep the file for `cacheSeconds` without asking again. `isImmutable` means that the content behind the name never
 * changes.
 */
export async function sendFile(
  reply: FastifyReply,
  directory: string,
  path: string,
  { cacheSeconds = 0, isImmutable = false }: { cacheSeconds?: number; isImmutable?: boolean } = {},
): Promise<FastifyReply> {
  // The library refuses such a path with an error that says nothing. No route has it, so it is not found.
  if (path.split(/[\\/]/).includes('..')) throw notFound('No such file');
  // A pipelined response has no socket until the responses before it are sent. It must not open a file before that.
  if (!reply.raw.socket) await once(reply.raw, 'socket');
  return reply.sendFile(path, directory, {
    cacheControl: cacheSeconds > 0,
    maxAge: cacheSeconds * secondMs,
    immutable: isImmutable,
  });
}
