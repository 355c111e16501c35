import { ServiceError } from '../../errors.ts';
import { isInteger, isObject } from '../../lib/json.ts';
import { newerSchemaMessage, schemaVersion } from '../migrations/index.ts';
import { type MovedTable, movedTables } from '../move/tables.ts';

export const manifestName = 'manifest.json';
const format = 'embedgate-backup';
const formatVersion = 1;

export interface BackedUpFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** The description of a backup. The last file of its archive. */
export interface Manifest {
  /** The version of the program that created it. */
  readonly version: string;
  readonly schemaVersion: number;
  readonly store: 'sqlite';
  readonly createdAt: string;
  /** The number of rows of each table of the schema. */
  readonly tables: Readonly<Partial<Record<MovedTable, number>>>;
  /** Maps the id of a signing key, in hexadecimal, to the number of valid API keys whose tokens it has signed. */
  readonly signedBy: Readonly<Record<string, number>>;
  /** Identifies AUTH_SECRET. Null: the service had none yet. */
  readonly authFingerprint: string | null;
  readonly files: readonly BackedUpFile[];
}

const backedUpFiles = ['embedgate.db', 'signing-key.pem', 'auth-secret'];

/** Reports whether a backup may have a file of this name. */
export const belongsTo = (name: string): boolean => backedUpFiles.includes(name);

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify({ format, formatVersion, ...manifest }, null, 2)}\n`;
}

/** Throws `invalid_request` if the text is not a manifest, or the backup needs a newer program. */
export function parseManifest(text: string): Manifest {
  const found = parsed(text);
  if (found?.format !== format) throw new ServiceError('invalid_request', 'It has no manifest of a backup');
  if (Number(found.formatVersion) > formatVersion) {
    throw new ServiceError(
      'invalid_request',
      `It has format ${found.formatVersion}, this program reads formats up to ${formatVersion}: run the newer program`,
    );
  }
  if (!isManifest(found)) throw new ServiceError('invalid_request', 'Its manifest is not complete');
  if (found.schemaVersion > schemaVersion) {
    throw new ServiceError('invalid_request', newerSchemaMessage(found.schemaVersion));
  }
  return found;
}

type Found = Partial<Manifest> & { format?: unknown; formatVersion?: unknown };

function parsed(text: string): Found | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isManifest(found: Found): found is Manifest & Found {
  const { version, schemaVersion, store, createdAt, tables, signedBy, files } = found;
  return (
    [version, createdAt].every((value) => typeof value === 'string') &&
    Number.isInteger(schemaVersion) &&
    store === 'sqlite' &&
    isCounts(tables) &&
    Object.keys(tables).every((table) => movedTables.some((moved) => moved === table)) &&
    isCounts(signedBy) &&
    Array.isArray(files)
  );
}

function isCounts(value: unknown): value is Record<string, number> {
  return isObject(value) && Object.values(value).every(isInteger);
}
