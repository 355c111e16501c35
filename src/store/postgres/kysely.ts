import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import { columnNames, type Database } from '../schema.ts';
import type { Lease } from './lease.ts';
import type { Pool } from './pool.ts';

/** Kysely over a pool that stays its owner's. */
export function kyselyOver(pool: Pool): Kysely<Database> {
  return new Kysely<Database>({
    plugins: [columnNames],
    dialect: new PostgresDialect({
      pool: {
        options: {},
        // A lease has no cursors; nothing here asks for one.
        connect: async () => (await pool.lease()) as Pick<Lease, 'release'> as PostgresPoolClient,
        end: async () => {},
      },
    }),
  });
}
