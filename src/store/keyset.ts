import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Page, PageRequest, SortValue } from '../lib/page.ts';
import { cursorAfter } from '../lib/paged-list.ts';
import type { Dialect } from './migrations/dialect.ts';

/** The rows of a list, and the columns of its orders. An index has the columns of each order. */
interface Listed<DB, Tables extends keyof DB, Row> {
  readonly rows: SelectQueryBuilder<DB, Tables, Row>;
  readonly orders: Readonly<Record<string, readonly RawBuilder<unknown>[]>>;
  /** The column that a search for an identifier compares. */
  readonly id?: RawBuilder<unknown>;
}

/** Follows all characters, so that all texts that begin with a text are before the text and this. */
const lastCharacter = '\u{10ffff}';

/**
 * Reads a page of a list. Its statements start at a place in an index and stop when the page is full, so their work
 * does not depend on the length of the list.
 *
 * The rows after the cursor (a, b) are those with the same a and a greater b, and then those with a greater a. They are
 * read one after the other, because SQLite compares only the first column of `(lower(a), b) > (?, ?)` in an index, and
 * would read all rows with the same name before the cursor.
 */
export async function readPage<DB, Tables extends keyof DB, Row, Item>(
  request: PageRequest,
  { rows, orders, id }: Listed<DB, Tables, Row>,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  const columns = orders[request.order]!;
  const withValues = rows.select(columns.map((column, i) => column.as(`sortValue${i}`))) as typeof rows;
  const ranges = request.id === null ? rangesOf(request, columns) : [only(sql`${id} = ${request.id}`)];
  const found: Row[] = [];
  for (const { conditions, order } of ranges) {
    const missing = request.limit + 1 - found.length;
    if (missing === 0) break;
    let query = withValues;
    for (const condition of conditions) query = query.where(condition);
    for (const column of order) query = query.orderBy(column, request.isDescending ? 'desc' : 'asc');
    found.push(...(await query.limit(missing).execute()));
  }
  const page = found.slice(0, request.limit);
  const last = found.length > request.limit ? page.at(-1) : undefined;
  const items = page.map((row) => toItem(withoutValues(row)));
  return { data: items, next: last ? cursorAfter(request, valuesOf(last, columns.length)) : null };
}

/** Returns a column whose text is compared by its bytes, as identifiers are, whatever the locale of the database. */
export const byBytes: Readonly<Record<Dialect, (column: string) => RawBuilder<string>>> = {
  sqlite: (column) => sql.ref(column),
  postgres: (column) => sql`${sql.ref(column)} COLLATE "C"`,
};

/** Returns a column in lower case, as `foldCase` makes it. Migration 13 has indexes of the same expressions. */
export const folded: Readonly<Record<Dialect, (column: string) => RawBuilder<string>>> = {
  sqlite: (column) => sql`lower(${sql.ref(column)})`,
  postgres: (column) => sql`lower(${sql.ref(column)} COLLATE "C")`,
};

type Conditions = readonly RawBuilder<SqlBool>[];

/** Rows that follow each other in an index. */
interface Range {
  readonly conditions: Conditions;
  /** Leaves out columns that `conditions` fix, or SQLite would sort again. */
  readonly order: readonly RawBuilder<unknown>[];
}

const only = (condition: RawBuilder<SqlBool>): Range => ({ conditions: [condition], order: [] });

function rangesOf(request: PageRequest, columns: readonly RawBuilder<unknown>[]): Range[] {
  const { after, isDescending, search } = request;
  if (!after)
    return [{ conditions: search === null ? [] : beginningWith(columns[0]!, search), order: columns }];
  // The cursor replaces one end of the range of a search. It comes from the caller, who can write any.
  if (search !== null && !String(after[0]).startsWith(search)) return [];
  const compared = sql.raw(isDescending ? '<' : '>');
  return columns
    .map((column, i) => ({
      conditions: [
        ...columns.slice(0, i).map((equal, j) => sql<SqlBool>`${equal} = ${after[j]}`),
        sql<SqlBool>`${column} ${compared} ${after[i]}`,
        ...(i === 0 && search !== null ? [otherEnd(column, search, isDescending)] : []),
      ],
      order: columns.slice(i),
    }))
    .reverse();
}

const beginningWith = (column: RawBuilder<unknown>, text: string): Conditions => [
  sql<SqlBool>`${column} >= ${text}`,
  sql<SqlBool>`${column} < ${text + lastCharacter}`,
];

const otherEnd = (column: RawBuilder<unknown>, text: string, isDescending: boolean) =>
  isDescending ? sql<SqlBool>`${column} >= ${text}` : sql<SqlBool>`${column} < ${text + lastCharacter}`;

const valueName = /^sortValue\d$/;

function withoutValues<Row>(row: Row): Row {
  return Object.fromEntries(Object.entries(row as object).filter(([name]) => !valueName.test(name))) as Row;
}

function valuesOf(row: unknown, count: number): SortValue[] {
  const fields = row as Record<string, SortValue>;
  return Array.from({ length: count }, (_, i) => fields[`sortValue${i}`]!);
}
