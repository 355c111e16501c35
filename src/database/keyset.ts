import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { maxCounted, type Page, type PageRequest, type SortValue } from '../lib/page.ts';
import { cursorAfter } from '../lib/paged-list.ts';
import type { Database } from './schema.ts';

/** The rows of a list, and the column of each of its orders. */
interface Listed<DB, Tables extends keyof DB, Row> {
  readonly rows: SelectQueryBuilder<DB, Tables, Row>;
  readonly orders: Readonly<Record<string, RawBuilder<unknown>>>;
  /** Sorts rows with the same value. */
  readonly id: RawBuilder<unknown>;
  /** The columns that a search compares, in lower case. */
  readonly searched?: readonly RawBuilder<unknown>[];
  /** The columns, also in lower case, whose beginning a search compares. */
  readonly searchedAtStart?: readonly RawBuilder<unknown>[];
  /** Whether the first page has the number of rows on all pages, unless a search has more than this page. By default, it has. */
  readonly isCounted?: boolean;
}

/** Reads a page of a list: the first rows after the cursor that match the search. */
export async function readPage<DB, Tables extends keyof DB, Row, Item>(
  db: Kysely<Database>,
  request: PageRequest,
  listed: Listed<DB, Tables, Row>,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  const { orders, id, isCounted = true } = listed;
  const { limit, after, isDescending } = request;
  const column = orders[request.order]!;
  let query = matching(request, listed);
  query = query.select([column.as('sortValue'), id.as('sortId')]) as typeof listed.rows;
  if (after) {
    const compared = sql.raw(isDescending ? '<' : '>');
    // SQLite finds the place in an index on an expression only by the expression itself.
    query = query.where(sql<SqlBool>`${column} ${compared}= ${after[0]}`);
    query = query.where(sql<SqlBool>`(${column}, ${id}) ${compared} (${sql.join(after)})`);
  }
  const direction = isDescending ? 'desc' : 'asc';
  const found = await query
    .orderBy(column, direction)
    .orderBy(id, direction)
    .limit(limit + 1)
    .execute();
  const page = found.slice(0, limit) as (Row & { sortValue: SortValue; sortId: string })[];
  const last = found.length > limit ? page.at(-1) : undefined;
  const data = page.map(({ sortValue: _value, sortId: _id, ...row }) => toItem(row as unknown as Row));
  const next = last ? cursorAfter(request, [last.sortValue, last.sortId]) : null;
  if (after || !isCounted) return { data, next, total: null };
  if (next === null) return { data, next, total: data.length };
  // All matches of a search have no index, which would double its time.
  return { data, next, total: request.search === null ? await countRows(db, request, listed) : null };
}

async function countRows<DB, Tables extends keyof DB, Row>(
  db: Kysely<Database>,
  request: PageRequest,
  listed: Listed<DB, Tables, Row>,
): Promise<number> {
  const some = matching(request, listed).clearSelect().select(sql.lit(1).as('one')).limit(maxCounted);
  const { rows } = await sql<{ total: number }>`SELECT CAST(COUNT(*) AS INTEGER) AS total
    FROM (${some}) AS matching`.execute(db);
  return rows[0]!.total;
}

function matching<DB, Tables extends keyof DB, Row>(
  { id, search }: PageRequest,
  listed: Listed<DB, Tables, Row>,
): SelectQueryBuilder<DB, Tables, Row> {
  let query = listed.rows;
  if (id !== null) query = query.where(sql<SqlBool>`${listed.id} = ${id}`);
  if (search !== null) query = query.where(matchesAny(listed, search));
  return query;
}

/** Returns the condition that one of the searched columns contains the text, or begins with it. */
export function matchesAny(
  { searched = [], searchedAtStart = [] }: Pick<Listed<never, never, never>, 'searched' | 'searchedAtStart'>,
  text: string,
): RawBuilder<SqlBool> {
  const begins = `${text.replace(/[\\%_]/g, '\\$&')}%`;
  const like = (pattern: string) => (column: RawBuilder<unknown>) =>
    sql`${column} LIKE ${pattern} ESCAPE '\\'`;
  const conditions = [...searched.map(like(`%${begins}`)), ...searchedAtStart.map(like(begins))];
  return sql`(${sql.join(conditions, sql` OR `)})`;
}

/** Returns a column in lower case, as `foldCase` makes it. */
export const folded = (column: string): RawBuilder<string> => sql`lower(${sql.ref(column)})`;
