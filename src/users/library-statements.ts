import { CompiledQuery, type Kysely } from 'kysely';
import { currentOrigin } from '../audit/origin.ts';
import { writeEntry } from '../database/audit.ts';
import type { Database } from '../database/schema.ts';

export interface LibraryStatements {
  run(text: string, parameters: readonly unknown[]): Promise<{ rows: unknown[]; changes: number }>;
}

/** The statements of the sign-in library that have entries, by their beginning, which `audit-routes.test.ts` holds. */
const actions = new Map([
  ['insert into "sessions"', 'session.create'],
  ['delete from "sessions"', 'session.delete'],
  ['insert into "users"', 'user.create'],
  ['update "users"', 'user.change'],
  ['insert into "two_factors"', 'user.set-up-totp'],
  ['insert into "credentials"', 'user.link'],
] as const);

type Row = Readonly<Record<string, unknown>>;

/** Runs the statements of the sign-in library. Those that have entries write them in the same transaction. */
export function libraryStatements(db: Kysely<Database>): LibraryStatements {
  return {
    async run(text, parameters) {
      const action = actions.get(/^\w+ (?:\w+ )?"\w+"/.exec(text)?.[0] as 'update "users"');
      if (action === undefined) {
        const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, [...parameters]));
        return { rows, changes: Number(numAffectedRows ?? rows.length) };
      }
      return db.transaction().execute(async (transaction) => {
        const ids = parameters.filter((value) => typeof value === 'string');
        const known = transaction.selectFrom('users').selectAll().where('id', 'in', ids);
        const earlier: readonly Row[] = action === 'user.change' ? await known.execute() : [];
        const returning = text.endsWith(' returning *') ? text : `${text} returning *`;
        const { rows } = await transaction.executeQuery<Row>(CompiledQuery.raw(returning, [...parameters]));
        // A password is part of the entry of its user.
        const named = rows.filter(({ providerId }) => providerId !== 'credential');
        await writeEntry(transaction, action, ...named.map((row) => changeOf(row, earlier, action)));
        return { rows, changes: rows.length };
      });
    },
  };
}

function changeOf(row: Row, earlier: readonly Row[], action: string) {
  if (action === 'user.change') return { before: earlier.find(({ id }) => id === row.id) ?? row, after: row };
  if (action === 'session.delete') return { before: row };
  const { kind, id } = currentOrigin().actor;
  return { after: action === 'session.create' && kind === 'provider' ? { ...row, providerId: id } : row };
}
