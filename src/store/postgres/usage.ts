import type { Kysely } from 'kysely';
import type { UsageSink } from '../../usage/recorder.ts';
import type { Database } from '../schema.ts';
import { pruneWriters } from '../usage.ts';
import { functionName } from './functions.ts';
import type { Pool, Statement } from './pool.ts';

const addStatement: Statement = {
  name: 'add_usage',
  text: `SELECT FROM ${functionName('add_usage')}($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
};

export function postgresUsage(pool: Pool, kysely: Kysely<Database>): UsageSink {
  return {
    async add({ writerId, number, deltas }) {
      await pool.query(addStatement, [
        writerId,
        number,
        deltas.map(({ orgId }) => orgId),
        deltas.map(({ keyId }) => keyId),
        deltas.map(({ day }) => day),
        deltas.map(({ cached }) => cached),
        deltas.map(({ failed }) => failed),
        deltas.map(({ texts }) => texts),
        deltas.map(({ tokens }) => tokens),
        deltas.map(({ truncated }) => truncated),
        deltas.map(({ lastUsedAt }) => lastUsedAt),
        deltas.map(({ model }) => model),
      ]);
    },

    pruneWriters: (writtenBeforeMs) => pruneWriters(kysely, writtenBeforeMs),
  };
}
