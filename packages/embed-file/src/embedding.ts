/** What has produced vectors, as a server states it. Null: it doesn't. */
export interface Source {
  readonly model: string | null;
  readonly fingerprint: string | null;
}

export interface Embedding {
  readonly vector: Float32Array;
  readonly isCut: boolean;
}

/** Throws if vectors must not be mixed: the fingerprints differ, or the models of servers that state none. */
export function requireSame(wanted: Source, found: Source, file: string): void {
  const name = wanted.fingerprint === null ? 'model' : 'fingerprint';
  if (wanted[name] === found[name]) return;
  const both = `the ${name} ${wanted[name]}, and not ${found[name]}`;
  throw new Error(`The vectors of ${file} must have ${both}: those of two models must not be mixed`);
}
