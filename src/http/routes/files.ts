import type { IncomingHttpHeaders } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import {
  DeletedFileResponse,
  expiryOf,
  FileContentResponse,
  FileListQuery,
  FileListResponse,
  FileParams,
  FileResponse,
  fileView,
  pageOf,
} from '../../api/file.ts';
import { invalidField } from '../../errors.ts';
import type { StoredFile } from '../../files/file.ts';
import { pieceBytes } from '../../files/file-contents.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { type Audience, senderOf } from '../audience.ts';
import { multipartBody, readForm } from '../multipart.ts';

const maxFilenameLength = 255;

/** Registers the routes for files, in a scope of their own. */
export function fileRoutes(
  app: App,
  { files, fileContents }: Services,
  { base, isForPeople, describe }: Audience,
): void {
  multipartBody(app);
  app.post(
    `${base}/files`,
    describe('change', 'createFile', 'Upload a file', {
      description:
        'Send `multipart/form-data` with the fields `file` and `purpose`, which is `batch`, and optionally ' +
        '`expires_after[anchor]` and `expires_after[seconds]`. The file can be used as soon as this has been ' +
        'answered. A file has at most 512 MiB.',
      response: { 200: FileResponse },
    }),
    async (request) => {
      const { orgId } = senderOf(request);
      request.hold.add(2 * pieceBytes);
      let expiresAfterMs = 0;
      const { filename: given, stored } = await readForm(request, 'file', {
        store: (file) => fileContents.write(orgId, file),
        discard: (written) => fileContents.discard(written),
        check(fields, filename) {
          if (filename.includes('\0'))
            throw invalidField('file', 'file must not have the NUL character in its name');
          if (fields.purpose !== 'batch') throw invalidField('purpose', 'purpose must be "batch"');
          expiresAfterMs = expiryOf(fields['expires_after[anchor]'], fields['expires_after[seconds]']);
        },
      });
      const filename = given.slice(0, maxFilenameLength);
      const file = { orgId, filename, purpose: 'batch' as const, expiresAfterMs };
      return fileView(await fileContents.create(file, stored));
    },
  );

  app.get(
    `${base}/files/:file_id`,
    describe('read', 'getFile', 'Get a file’s metadata', {
      params: FileParams,
      response: { 200: FileResponse },
    }),
    async (request) => fileView(await files.get(senderOf(request).orgId, request.params.file_id)),
  );

  app.get(
    `${base}/files/:file_id/content`,
    describe('open', 'getFileContent', 'Download a file', {
      description:
        'A request with `Range: bytes=…` gets a part of the file. Other responses are compressed for a client ' +
        'that accepts gzip.',
      params: FileParams,
      response: { 200: FileContentResponse },
    }),
    async (request, reply) => {
      const file = await files.get(senderOf(request).orgId, request.params.file_id);
      request.hold.addResponse(2 * pieceBytes);
      return sendContent(reply, file, request.headers, fileContents);
    },
  );

  // The dashboard needs no more.
  if (isForPeople) return;

  app.get(
    `${base}/files`,
    describe('read', 'listFiles', 'List files', {
      querystring: FileListQuery,
      response: { 200: FileListResponse },
    }),
    async (request) => {
      const { purpose, limit = 10_000, order = 'desc', after } = request.query;
      const query = { purpose, after, limit: limit + 1, isDescending: order === 'desc' };
      return pageOf((await files.list(senderOf(request).orgId, query)).map(fileView), limit);
    },
  );

  app.delete(
    `${base}/files/:file_id`,
    describe('change', 'deleteFile', 'Delete a file', {
      description: 'A file that a batch still reads can’t be deleted.',
      params: FileParams,
      response: { 200: DeletedFileResponse },
    }),
    async (request) => {
      const { file_id: id } = request.params;
      await fileContents.delete(senderOf(request).orgId, id);
      return { id, object: 'file' as const, deleted: true as const };
    },
  );
}

/** Sends a stream, although the schema says text. Throws as `FileContents.read` does, before anything is sent. */
async function sendContent(
  reply: FastifyReply,
  file: StoredFile,
  { range: header, 'accept-encoding': encodings = '' }: IncomingHttpHeaders,
  contents: Services['fileContents'],
) {
  const range = rangeOf(header, file);
  if (range === 'unsatisfiable')
    return reply.code(416).header('content-range', `bytes */${file.bytes}`).send();
  const [start, end] = range ?? [0, file.bytes];
  const pieces = contents.read(file, start, end);
  // An error must have none of the headers below.
  const first = await pieces.next();
  reply
    .header('accept-ranges', 'bytes')
    .header('vary', 'Accept-Encoding')
    .header('content-disposition', attachment(file.filename))
    .type('application/jsonl');
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${file.bytes}`);
  const content = Readable.from(resumed(first, pieces, reply), { objectMode: false, highWaterMark: 1 });
  if (range || !/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/i.test(String(encodings)))
    return reply.header('content-length', end - start).send(content);
  // Numbers shrink to half at the lowest level, which is the fastest.
  const compressed = pipeline(content, createGzip({ level: constants.Z_BEST_SPEED }), () => {});
  return reply.header('content-encoding', 'gzip').send(compressed);
}

async function* resumed(
  first: IteratorResult<Buffer, void>,
  rest: AsyncGenerator<Buffer, void>,
  { raw }: FastifyReply,
) {
  try {
    if (!first.done) yield first.value;
    yield* rest;
  } catch (reason) {
    // An error can't be sent any more, even if the compression still holds all bytes and the headers back.
    raw.destroy();
    throw reason;
  } finally {
    await rest.return();
  }
}

/** Makes browsers save a file under its name, which can have any character (RFC 6266, section 4.3). */
function attachment(filename: string): string {
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename*=UTF-8''${encoded}`;
}

/** Returns the first byte and the one behind the last, as one range of RFC 9110, section 14.1.2, states them. */
function rangeOf(
  header: string | undefined,
  { bytes }: StoredFile,
): [number, number] | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '')
    return Number(last) === 0 || bytes === 0 ? 'unsatisfiable' : [Math.max(0, bytes - Number(last)), bytes];
  // Not a range, and ignored like any other header that is not one.
  if (last !== '' && Number(last) < Number(first)) return undefined;
  const end = last === '' ? bytes : Math.min(bytes, Number(last) + 1);
  return Number(first) < end ? [Number(first), end] : 'unsatisfiable';
}
