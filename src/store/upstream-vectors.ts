import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

export interface UpstreamVectorStore {
  /** Stores the vectors unless some are stored for the fingerprint, and returns those that are. */
  keep(fingerprint: string, vectors: Uint8Array): Promise<Uint8Array>;
}

export function upstreamVectorStore(db: Kysely<Database>): UpstreamVectorStore {
  return {
    async keep(fingerprint, vectors) {
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
  };
}
