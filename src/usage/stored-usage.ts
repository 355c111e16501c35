import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/schema.ts';
import { systemClock } from '../lib/clock.ts';
import type { UsageSink } from './recorder.ts';

/** The columns of a batch's rows, by the names of their fields: those that identify a row, and those that add up. */
const tables = {
  entries: {
    name: 'request_log',
    key: [
      ...['orgId', 'at', 'requestId', 'keyId', 'userId', 'model', 'status', 'error', 'outcome'],
      ...['texts', 'tokens', 'latencyMs', 'queueMs', 'limitId', 'param', 'lookup'],
    ],
    figures: [],
  },
  hours: {
    name: 'usage_hours',
    key: ['orgId', 'hour', 'keyId', 'model', 'outcome', 'error', 'latencyClass'],
    figures: ['requests', 'texts', 'countedTexts', 'tokens', 'countedTokens', 'truncated', 'cost'],
  },
  days: {
    name: 'usage_records',
    key: ['orgId', 'day', 'keyId', 'model'],
    figures: ['cached', 'failed', 'texts', 'tokens', 'truncated'],
  },
} as const;

const ofExisting = sql`value ->> '$.orgId' IN (SELECT org_id FROM organizations)`;

/** Writes usage on SQLite, where transactions run one at a time. */
export function usageSink(db: Kysely<Database>): UsageSink {
  return {
    add(batch) {
      return db.transaction().execute(async (transaction) => {
        const { numAffectedRows: isNext } =
          await sql`INSERT INTO usage_writers (writer_id, last_batch, written_at)
          VALUES (${batch.writerId}, ${batch.number}, ${systemClock.now()})
          ON CONFLICT (writer_id) DO UPDATE SET last_batch = excluded.last_batch, written_at = excluded.written_at
            WHERE excluded.last_batch > usage_writers.last_batch`.execute(transaction);
        if (!isNext) return;
        for (const part of ['entries', 'hours', 'days'] as const)
          await addition(part, batch[part]).execute(transaction);
        await sql`INSERT INTO key_activity (key_id, last_used_at)
          SELECT value ->> '$.keyId', MAX(value ->> '$.lastUsedAt') FROM json_each(${batch.days})
          WHERE ${ofExisting} GROUP BY 1
          ON CONFLICT (key_id) DO UPDATE SET last_used_at = excluded.last_used_at
            WHERE excluded.last_used_at > key_activity.last_used_at`.execute(transaction);
      });
    },
  };
}

/**
 * Adds the rows in a JSON text whose organizations exist. A trigger adds the usage of days to the sums of months and days.
 */
function addition(part: keyof typeof tables, json: string): RawBuilder<unknown> {
  const { name, key, figures } = tables[part];
  const fields = [...key, ...figures];
  const namesOf = (some: readonly string[]) => sql.join(some.map((field) => sql.ref(field)));
  const sums = figures.map((figure) => {
    const column = sql.ref(figure);
    return sql`${column} = ${sql.table(name)}.${column} + excluded.${column}`;
  });
  // LIMIT -1 makes SQLite write the text of each row once, instead of once for each of its columns.
  return sql`INSERT INTO ${sql.table(name)} (${namesOf(fields)})
    SELECT ${sql.join(fields.map((field) => sql`value ->> ${sql.lit(`$.${field}`)}`))}
    FROM (SELECT value FROM json_each(${json}) LIMIT -1) WHERE ${ofExisting}
    ${sums.length === 0 ? sql`` : sql`ON CONFLICT (${namesOf(key)}) DO UPDATE SET ${sql.join(sums)}`}`;
}
