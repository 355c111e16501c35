import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { asError, invalidField, invalidRequest, ServiceError } from '../errors.ts';
import type { App } from './app-types.ts';
import { requireChunks, tooSlow } from './read-body.ts';

const limits = { files: 1, fields: 16, fieldSize: 4_096, headerPairs: 32 };
/** What a form may have besides its file. */
const maxBytesBeside = 16 << 10;
/** The least that must arrive in each `BODY_TIMEOUT_SECONDS`, so that an upload may take long but not stall. */
const minUploadBytes = 64 << 10;

const needsForm = 'Send the file in a form, as multipart/form-data';

/** Lets the routes of a scope read `multipart/form-data` as it arrives, and refuse all other types but JSON. */
export function multipartBody(app: App): void {
  app.addContentTypeParser('*', (_request, _payload, done) =>
    done(new ServiceError('unsupported_media_type', needsForm)),
  );
  app.addContentTypeParser('multipart/form-data', (_request, payload, done) => done(null, payload));
}

export interface MultipartForm<R> {
  readonly fields: Readonly<Record<string, string>>;
  readonly filename: string;
  /** What `store` returned for the file. */
  readonly stored: R;
}

/** Where the file of a form goes. */
interface Target<R> {
  store(file: Readable): Promise<R>;
  /** Called with what was stored if the form turns out to be invalid. */
  discard(stored: R): Promise<void>;
  /** Throws if the fields, which can come behind the file, don't allow it. */
  check?(fields: MultipartForm<R>['fields'], filename: string): void;
}

/** Reads a form with one file, as it arrives. Throws `invalid_request`, and what the target throws. */
export async function readForm<R>(
  { raw, body, headers, hold }: FastifyRequest,
  name: string,
  target: Target<R>,
): Promise<MultipartForm<R>> {
  const source = body as Readable | undefined;
  const type = headers['content-type'];
  if (!type || !/^multipart\/form-data/i.test(type) || !source) throw invalidRequest(needsForm);
  const fields: Record<string, string> = Object.create(null);
  let file: { filename: string; stream: Readable; stored: Promise<R> } | undefined;
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
    // Nobody listens before the target reads, which then gets the error.
    stream.on('error', () => {});
    const stored = target.store(stream);
    // The rest of the body isn't read if the file is refused.
    stored.catch((reason) => reject(reason));
    file = { filename, stream, stored };
  });
  form.on('finish', resolve);
  form.on('error', (cause) => reject(invalidRequest('The form is not valid multipart/form-data', { cause })));
  source.on('error', (cause) =>
    reject(invalidRequest('The connection ended before the body was complete', { cause })),
  );
  source.on('close', () => {
    if (!source.readableEnded) reject(invalidRequest('The connection ended before the body was complete'));
  });
  const refuseExcess = () => reject(invalidField(name, `The form must have ${name}, and little beside it`));
  for (const excess of ['fieldsLimit', 'filesLimit'] as const) form.on(excess, refuseExcess);
  let beside = 0;
  let chunks = 0;
  let arrivedBytes = 0;
  let checkedBytes = 0;
  const stallCheck = setInterval(() => {
    if (arrivedBytes - checkedBytes < minUploadBytes && !raw.complete && !source.isPaused())
      reject(tooSlow());
    checkedBytes = arrivedBytes;
  }, hold.bounds.bodyTimeoutMs);
  const parse = (chunk: Buffer): void => {
    requireChunks(chunks, arrivedBytes);
    form.write(chunk, () => source.resume());
    if (!file || file.stream.readableEnded) beside += chunk.length;
    if (beside > maxBytesBeside) refuseExcess();
  };
  let parsed: Promise<void> = Promise.resolve();
  const onData = (chunk: Buffer): void => {
    source.pause();
    chunks += 1;
    arrivedBytes += chunk.length;
    parsed = hold.inTurn(() => parse(chunk)).catch(reject);
  };
  // The source ends as soon as its last chunk is read, which may still wait for its turn.
  source.on('data', onData).on('end', () => void parsed.then(() => form.end()));
  try {
    await promise;
    if (!file) throw invalidField(name, `${name} is missing: send a file in the form`);
    const stored = await file.stored;
    target.check?.(fields, file.filename);
    return { fields, filename: file.filename || 'file', stored };
  } catch (reason) {
    source.off('data', onData);
    form.destroy();
    // Browsers send the whole body before they read a response.
    source.resume();
    file?.stream.destroy(asError(reason));
    await file?.stored.then(target.discard, () => {});
    throw asError(reason);
  } finally {
    clearInterval(stallCheck);
  }
}

function parserFor(type: string): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': type }, limits });
  } catch (cause) {
    throw invalidRequest('The form is not valid multipart/form-data', { cause });
  }
}
