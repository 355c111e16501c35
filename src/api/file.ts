import { type Static, Type } from 'typebox';
import { invalidField } from '../errors.ts';
import type { StoredFile, Upload } from '../files/file.ts';
import { Choice, Count, Flag, Many, Nullable, response, Text, Whole } from './common.ts';

const daySeconds = 86_400;
/** What OpenAI allows for `expires_after[seconds]`. */
const leastSeconds = 3_600;
const mostSeconds = 30 * daySeconds;
/** How long files are kept by default, uploaded ones and results. */
export const fileExpiresAfterMs = mostSeconds * 1_000;

export const ExpiresAfter = Type.Object(
  {
    anchor: Type.Literal('created_at'),
    seconds: Type.Integer({ minimum: leastSeconds, maximum: mostSeconds }),
  },
  {
    description:
      'When the file is deleted, in seconds after its creation: 3600 to 2592000. Default: 2592000, which is 30 days.',
  },
);

/** Returns the milliseconds that fields of a form or of JSON state. Throws `invalid_request`. */
export function expiryOf(anchor: unknown, seconds: unknown): number {
  if (anchor === undefined && seconds === undefined) return fileExpiresAfterMs;
  if (anchor !== 'created_at')
    throw invalidField('expires_after', 'expires_after[anchor] must be "created_at"');
  const amount = /^\d+$/.test(String(seconds)) ? Number(seconds) : 0;
  if (amount < leastSeconds || amount > mostSeconds)
    throw invalidField(
      'expires_after',
      `expires_after[seconds] must be a whole number from ${leastSeconds} to ${mostSeconds}`,
    );
  return amount * 1_000;
}

const Seconds = (description: string) => Whole(description, { minimum: 0 });

const exampleFile = {
  id: 'file-01934f6d2c5a7b3e8f90a1b2c3d4e5f6',
  object: 'file',
  bytes: 120_000,
  created_at: 1_795_000_000,
  expires_at: 1_797_592_000,
  filename: 'corpus.jsonl',
  purpose: 'batch',
  status: 'processed',
  status_details: null,
} as const;

export const FileResponse = Type.Object(
  {
    id: Text('Begins with `file-`.'),
    object: Type.Literal('file'),
    bytes: Count('The bytes of its content.'),
    created_at: Seconds('Seconds since the Unix epoch.'),
    expires_at: Seconds('When the file is deleted, in seconds since the Unix epoch.'),
    filename: Text('The name that the client gave.'),
    purpose: Choice(['batch', 'batch_output'], '`batch_output`: the results of a batch.'),
    status: Choice(['processed'], 'A file can be used as soon as the upload has been answered.'),
    status_details: Type.Null(),
  },
  response('File', 'The file.', exampleFile),
);

const inSeconds = (ms: number): number => Math.floor(ms / 1_000);

export function fileView(file: StoredFile): Static<typeof FileResponse> {
  const { fileId: id, bytes, createdAt, expiresAt, filename, purpose } = file;
  const [created_at, expires_at] = [inSeconds(createdAt), inSeconds(expiresAt)];
  return {
    id,
    object: 'file',
    bytes,
    created_at,
    expires_at,
    filename,
    purpose,
    status: 'processed',
    status_details: null,
  };
}

/** A page of a list, as OpenAI's API has it. */
export function ListPage<T extends Parameters<typeof Many>[0]>(title: string, item: T, example: unknown) {
  return Type.Object(
    {
      object: Type.Literal('list'),
      data: Many(item, 'The page.'),
      first_id: Nullable(Text('The first identifier of the page.')),
      last_id: Nullable(Text('The last one. Send it as `after` to get the next page.')),
      has_more: Flag('Whether there are more after this page.'),
    },
    response(title, 'The page.', {
      object: 'list',
      data: [example],
      first_id: null,
      last_id: null,
      has_more: false,
    }),
  );
}

/** Returns a page of `limit` items. `items` may have one more, which shows that there are more. */
export function pageOf<T extends { id: string }>(items: readonly T[], limit: number) {
  const data = items.slice(0, limit);
  const [first, last] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
  return { object: 'list' as const, data, first_id: first, last_id: last, has_more: items.length > limit };
}

export const FileListResponse = ListPage('FileList', FileResponse, exampleFile);

export const FileListQuery = Type.Object({
  purpose: Type.Optional(Text('Lists only files with this purpose.')),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 10_000 })),
  order: Type.Optional(Choice(['asc', 'desc'], 'By the time of creation.', 'desc')),
  after: Type.Optional(Text('The identifier after which the page begins.')),
});

export const FileParams = Type.Object({ file_id: Text('Begins with `file-`.') });

export const FileContentResponse = {
  description: 'The file, or the part of it that `Range` asks for, with the status 206.',
  content: { 'application/jsonl': { schema: Type.String() } },
};

export const DeletedFileResponse = Type.Object(
  { id: Text('The file’s.'), object: Type.Literal('file'), deleted: Type.Literal(true) },
  response('DeletedFile', 'The file is deleted.', { id: exampleFile.id, object: 'file', deleted: true }),
);

export const UploadRequest = Type.Object(
  {
    filename: Type.String({ minLength: 1, maxLength: 255 }),
    purpose: Choice(['batch'], 'What the file is for.'),
    bytes: Type.Integer({ minimum: 1, description: 'The bytes of all parts together.' }),
    mime_type: Type.Optional(Text('Accepted for compatibility and ignored.')),
    expires_after: Type.Optional(ExpiresAfter),
  },
  {
    title: 'UploadRequest',
    examples: [
      { filename: 'corpus.jsonl', purpose: 'batch', bytes: 2_147_483_648, mime_type: 'application/jsonl' },
    ],
  },
);

export const UploadParams = Type.Object({ upload_id: Text('Begins with `upload_`.') });

export const UploadResponse = Type.Object(
  {
    id: Text('Begins with `upload_`.'),
    object: Type.Literal('upload'),
    bytes: Count('The bytes of all parts together.'),
    created_at: Seconds('Seconds since the Unix epoch.'),
    filename: Text('The file’s.'),
    purpose: Choice(['batch', 'batch_output'], 'The file’s.'),
    status: Choice(['pending', 'completed', 'cancelled'], 'Parts can be added while it is `pending`.'),
    expires_at: Seconds('When the upload ends, in seconds since the Unix epoch: an hour after it began.'),
    file: Nullable(FileResponse),
  },
  response('Upload', 'The upload.', {
    id: 'upload_01934f6d2c5a7b3e8f90a1b2c3d4e5f6',
    object: 'upload',
    bytes: 2_147_483_648,
    created_at: 1_795_000_000,
    filename: 'corpus.jsonl',
    purpose: 'batch',
    status: 'pending',
    expires_at: 1_795_003_600,
    file: null,
  }),
);

export function uploadView(upload: Upload, file: StoredFile | null = null): Static<typeof UploadResponse> {
  const { uploadId: id, bytes, createdAt, filename, purpose, expiresAt } = upload;
  const status = file ? 'completed' : upload.status;
  const [created_at, expires_at] = [inSeconds(createdAt), inSeconds(expiresAt)];
  return {
    id,
    object: 'upload',
    bytes,
    created_at,
    filename,
    purpose,
    status,
    expires_at,
    file: file && fileView(file),
  };
}

export const PartResponse = Type.Object(
  {
    id: Text('Begins with `part_`.'),
    object: Type.Literal('upload.part'),
    created_at: Seconds('Seconds since the Unix epoch.'),
    upload_id: Text('The upload’s.'),
  },
  response('UploadPart', 'The part.', {
    id: 'part_01934f6d2c5a7b3e8f90a1b2c3d4e5f6',
    object: 'upload.part',
    created_at: 1_795_000_000,
    upload_id: 'upload_01934f6d2c5a7b3e8f90a1b2c3d4e5f6',
  }),
);

export function partView({ fileId: id, createdAt, uploadId }: StoredFile): Static<typeof PartResponse> {
  return { id, object: 'upload.part', created_at: inSeconds(createdAt), upload_id: uploadId! };
}

export const CompleteUploadRequest = Type.Object(
  {
    part_ids: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 1_000,
      description: 'The parts in their order.',
    }),
    md5: Type.Optional(Text('The MD5 digest of the file in hexadecimal digits, which is then compared.')),
  },
  { title: 'CompleteUploadRequest', examples: [{ part_ids: ['part_01934f6d2c5a7b3e8f90a1b2c3d4e5f6'] }] },
);
