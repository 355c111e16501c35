import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';

/** The vectors of an upstream’s first trial, which show later whether it has another model. */
export const upstreamVectorsIn = (db: Kysely<Database>) => ({
  /** Stores the vectors unless some are stored for the fingerprint, and returns those that are. */
  async keep(fingerprint: string, vectors: Uint8Array): Promise<Uint8Array> {
    await db
      .insertInto('upstream_vectors')
      .values({ fingerprint, vectors })
      .onConflict((conflict) => conflict.column('fingerprint').doNothing())
      .execute();
    const kept = await db
      .selectFrom('upstream_vectors')
      .select('vectors')
      .where('fingerprint', '=', fingerprint)
      .executeTakeFirstOrThrow();
    return kept.vectors;
  },
});
