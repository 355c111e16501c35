import { createReadStream, createWriteStream, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { packTar, unpackTar } from 'modern-tar/fs';
import { isThere } from '../../../packages/small/src/files.ts';
import { countRowsOf, databaseName, openReader } from '../../database/sqlite/database.ts';
import { versionOf } from '../../database/sqlite/migrate.ts';
import { codeOf, invalidRequest, messageOf, notFound, ServiceError } from '../../errors.ts';
import { movedTables } from '../move/source.ts';

/** The description of a backup, which is one of its files. */
export interface Manifest {
  /** The version of the program that created it. */
  readonly version: string;
  readonly schemaVersion: number;
  readonly store: 'sqlite';
  readonly createdAt: string;
  /** The number of rows of each table of the schema. */
  readonly tables: Readonly<Record<string, number>>;
  /** Identifies AUTH_SECRET. Null: the service had none yet. */
  readonly authFingerprint: string | null;
}

export type OnCopied = (done: number, total: number) => void;

export const secretNames = ['signing-key.pem', 'auth-secret'] as const;
const manifestName = 'manifest.json';
const names: readonly string[] = [databaseName, ...secretNames, manifestName];
const format = 'embedgate-backup';
const formatVersion = 1;
const mode = 0o600;
/** Far more than the manifest or a secret has. */
const maxSmallBytes = 1 << 20;

/** Writes a compressed tar archive, which only its owner can read. `secrets` are the paths of files by their names. */
export async function pack(
  archive: string,
  database: string,
  secrets: ReadonlyMap<string, string>,
  manifest: Manifest,
  onProgress: OnCopied,
): Promise<void> {
  const text = `${JSON.stringify({ format, formatVersion, ...manifest }, null, 2)}\n`;
  const contents = [...secrets].map(([name, path]) => [name, readFileSync(path)] as const);
  const tar = packTar([
    { type: 'file', source: database, target: databaseName, mode },
    ...[...contents, [manifestName, text] as const].map(([target, content]) => ({
      type: 'content' as const,
      target,
      content,
      mode,
    })),
  ]);
  await pipeline(
    tar,
    counted(statSync(database).size, onProgress),
    createGzip(),
    createWriteStream(archive, { mode, flags: 'wx', flush: true }),
  );
}

/**
 * Unpacks an archive into an empty directory. Throws `not_found` if there is no archive, and `invalid_request` if it is
 * damaged, has a file that no backup has, or needs a newer program.
 */
export async function unpack(archive: string, directory: string, onProgress: OnCopied): Promise<Manifest> {
  const found = statSync(archive, { throwIfNoEntry: false });
  if (!found) throw notFound(`There is no backup ${archive}`);
  if (!found.isFile()) throw invalidRequest(`${archive} is not a file`);
  try {
    await pipeline(
      createReadStream(archive),
      counted(found.size, onProgress),
      createGunzip(),
      unpackTar(directory, { strict: true, fmode: mode, filter: expectedFiles() }),
    );
    if (!isThere(join(directory, databaseName))) throw new Error(`it has no ${databaseName}`);
    return readManifest(join(directory, manifestName));
  } catch (reason) {
    // The disk’s fault, not the archive’s.
    if (isOfDisk(reason)) throw reason;
    const what = reason instanceof ServiceError ? "can't be restored. " : 'is not a backup, or is damaged: ';
    throw invalidRequest(`${archive} ${what}${messageOf(reason)}`);
  }
}

const isOfDisk = (reason: unknown): boolean =>
  /^E(NOSPC|DQUOT|IO|ACCES|PERM|ROFS)$/.test(codeOf(reason) ?? '');

/** Returns a filter of entries, which throws for those that no backup has. */
function expectedFiles() {
  const seen = new Set<string>();
  return ({ name, type, size }: { name: string; type?: string; size: number }): boolean => {
    const refuse = (fault: string) => invalidRequest(fault);
    // A link could lead elsewhere.
    if (type !== 'file') throw refuse(`${name} in it is not a file`);
    const shown = JSON.stringify(name.slice(0, 200));
    if (!names.includes(name)) throw refuse(`It has a file that does not belong there: ${shown}`);
    if (seen.has(name)) throw refuse(`It has ${shown} twice`);
    if (name !== databaseName && size > maxSmallBytes) throw refuse(`${shown} in it is too large`);
    seen.add(name);
    return true;
  };
}

function readManifest(path: string): Manifest {
  const found: Manifest & { format: unknown; formatVersion: number } = JSON.parse(readFileSync(path, 'utf8'));
  if (found.format !== format) throw new Error('it has no manifest of a backup');
  if (found.formatVersion > formatVersion) {
    throw invalidRequest(
      `It has format ${found.formatVersion}, this program reads formats up to ${formatVersion}: run the newer program`,
    );
  }
  return found;
}

/** Passes on the parts of a stream, and reports how many bytes they had. */
function counted(total: number, onProgress: OnCopied) {
  return async function* (parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let done = 0;
    onProgress(done, total);
    for await (const part of parts) {
      done += part.length;
      onProgress(Math.min(done, total), total);
      yield part;
    }
  };
}

/**
 * Copies a database in one transaction, while the service runs: in WAL mode, readers don't block writers. SQLite's
 * backup interface would start again at each write of another process. Throws if the schema is newer than this program.
 */
export function copyDatabase(path: string, copy: string): Pick<Manifest, 'schemaVersion' | 'tables'> {
  using source = openReader(path);
  const found = versionOf(source);
  source.prepare('VACUUM INTO ?').run(copy);
  using copied = openReader(copy);
  return { schemaVersion: found, tables: countRows(copied) };
}

/** Returns the number of rows of each of the tables that the database has. */
export function countRows(
  database: DatabaseSync,
  tables: readonly string[] = movedTables,
): Manifest['tables'] {
  const exists = database.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`);
  const counts = tables
    .filter((table) => /^\w+$/.test(table) && exists.get(table))
    .map((table) => [table, countRowsOf(database, table)]);
  return Object.fromEntries(counts);
}
