import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { asError, invalidField, invalidRequest } from '../errors.ts';
import type { App } from './app-types.ts';

const limits = { files: 1, fields: 16, fieldSize: 4_096, headerPairs: 32 };

/** Lets the routes of a scope read `multipart/form-data` as it arrives. */
export function multipartBody(app: App): void {
  app.addContentTypeParser('multipart/form-data', (_request, payload, done) => done(null, payload));
}

export interface Form<R> {
  readonly fields: Readonly<Record<string, string>>;
  readonly filename: string;
  /** What `store` returned for the file. */
  readonly stored: R;
}

/**
 * Reads a form with one file, which `store` gets as a stream. The fields can come before it or after it. Throws
 * `invalid_request`, and what `store` throws.
 */
export async function readForm<R>(
  { body, headers }: FastifyRequest,
  name: string,
  store: (file: Readable) => Promise<R>,
): Promise<Form<R>> {
  const source = body as Readable | undefined;
  const type = headers['content-type'];
  if (!type?.startsWith('multipart/form-data') || !source)
    throw invalidRequest('The body must be multipart/form-data');
  const fields: Record<string, string> = Object.create(null);
  let file: { filename: string; stored: Promise<R> } | undefined;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const form = parserFor(type);
  form.on('field', (field, value) => {
    fields[field] = value;
  });
  form.on('file', (field, stream, filename) => {
    if (field !== name) {
      stream.resume();
      return;
    }
    const stored = store(stream);
    // The rest of the body isn't read if the file is refused.
    stored.catch((reason) => reject(reason));
    file = { filename, stored };
  });
  form.on('finish', resolve);
  form.on('error', (cause) => reject(invalidRequest('The form is not valid multipart/form-data', { cause })));
  source.on('error', (cause) =>
    reject(invalidRequest('The connection ended before the body was complete', { cause })),
  );
  source.on('close', () => {
    if (!source.readableEnded) reject(invalidRequest('The connection ended before the body was complete'));
  });
  source.pipe(form);
  try {
    await promise;
    if (!file) throw invalidField(name, `${name} is missing: send a file in the form`);
    return { fields, filename: file.filename || 'file', stored: await file.stored };
  } catch (reason) {
    source.unpipe(form);
    form.destroy();
    throw asError(reason);
  }
}

function parserFor(type: string): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': type }, limits });
  } catch (cause) {
    throw invalidRequest('The form is not valid multipart/form-data', { cause });
  }
}
