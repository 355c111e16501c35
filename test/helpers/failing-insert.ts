import { sql } from 'kysely';
import type { Stores } from '../../src/store/stores.ts';

/** Makes the database refuse, from now on, rows of a table whose column has this value. */
export async function refuseInserts(
  stores: Stores,
  database: 'SQLite' | 'Postgres',
  { table, column, value }: { table: string; column: string; value: string },
): Promise<void> {
  const { db } = await stores.authDatabase();
  const statement =
    database === 'SQLite'
      ? `CREATE TRIGGER refused_${table} BEFORE INSERT ON ${table} WHEN NEW.${column} = '${value}'
         BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`
      : `ALTER TABLE ${table} ADD CHECK (${column} <> '${value}')`;
  await sql.raw(statement).execute(db);
}
