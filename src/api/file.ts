import { type Static, Type } from 'typebox';
import { invalidField } from '../errors.ts';
import type { StoredFile } from '../files/file.ts';
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
    status_details: Nullable(Text('Always null: only files for fine-tuning have details.')),
  },
  response('File', 'The file.'),
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
export function ListPage<T extends Parameters<typeof Many>[0]>(title: string, item: T) {
  return Type.Object(
    {
      object: Type.Literal('list'),
      data: Many(item, 'The page.'),
      first_id: Nullable(Text('The first identifier of the page.')),
      last_id: Nullable(Text('The last one. Send it as `after` to get the next page.')),
      has_more: Flag('Whether there are more after this page.'),
    },
    response(title, 'The page.'),
  );
}

/** Returns a page of `limit` items. `items` may have one more, which shows that there are more. */
export function pageOf<T extends { id: string }>(items: readonly T[], limit: number) {
  const data = items.slice(0, limit);
  const [first, last] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
  return { object: 'list' as const, data, first_id: first, last_id: last, has_more: items.length > limit };
}

export const FileListResponse = ListPage('FileList', FileResponse);

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
  { id: Text('The file’s.'), object: Type.Literal('file'), deleted: Flag('Always true.') },
  response('DeletedFile', 'The file is deleted.'),
);
