import { createHash } from 'node:crypto';
import { sections } from '../../../src/config/settings.ts';
import { ownSteps } from '../../../src/database/migrations/index.ts';

/** What must be true of the data of a release, whatever release opens them. */
export interface Facts {
  /** When they were made. */
  readonly at: string;
  readonly orgId: string;
  readonly key: string;
  /** The status that an embedding request with each key gets. */
  readonly keys: { readonly name: string; readonly secret: string; readonly status: number }[];
  readonly member: { readonly email: string; readonly password: string };
  readonly fingerprint: string;
  /** The first numbers of the vector of each text, which is in the cache. */
  readonly vectors: Record<string, number[]>;
  /** The number of rows of each table on SQLite. */
  readonly counts: Record<string, number>;
  readonly batches: { readonly done: string; readonly begun: string; readonly lines: number };
  /** The names of all settings of the environment. */
  readonly settings: readonly string[];
  /** A SHA-256 of the statements of each step, by its name. */
  readonly steps: Record<string, string>;
}

export const namesOfSettings = (): string[] => sections.flat().map(({ name }) => name);

/** Returns a SHA-256 of what each step does on both databases. */
export async function hashesOfSteps(): Promise<Facts['steps']> {
  const hashes: Facts['steps'] = {};
  for (const [place, name] of ownSteps.names.entries()) {
    const { sqlite, postgres, ...rest } = await ownSteps.load(place);
    const text = JSON.stringify([sqlite(), postgres(), rest]);
    hashes[name] = createHash('sha256').update(text).digest('hex');
  }
  return hashes;
}
