import { hash } from 'node:crypto';
import { invalidField } from '../errors.ts';
import { storedId } from './ids.ts';
import {
  defaultPageLimit,
  foldCase,
  maxPageLimit,
  type PageQuery,
  type PageRequest,
  type SortValue,
} from './page.ts';

type ValueKind = 'number' | 'text';

interface Orders {
  /** What each order sorts by. Rows with the same value are sorted by their ids. */
  readonly orders: Readonly<Record<string, ValueKind>>;
  /** The default order, with a minus sign if it is descending. */
  readonly defaultSort: string;
  /** The texts that a search compares. A list with a search has an order by name, the default of a search. */
  readonly searched?: readonly string[];
  /** The texts whose beginning a search compares. */
  readonly searchedAtStart?: readonly string[];
  /** The most rows of a page. Default: `maxPageLimit`. */
  readonly maxLimit?: number;
  /** What the rows' ids are. Texts by default. */
  readonly idKind?: ValueKind;
}

const maxSearchLength = 254;
const scopeLength = 8;

/** A list that is read in pages: its orders, and the cursors between its pages. */
export class PagedList {
  /** The names that `sort` can have. */
  readonly sorts: readonly string[];
  readonly defaultSort: string;
  readonly searched: readonly string[];
  readonly searchedAtStart: readonly string[];
  readonly maxLimit: number;
  readonly #name: string;
  readonly #orders: Readonly<Record<string, ValueKind>>;
  readonly #idKind: ValueKind;

  constructor(
    name: string,
    {
      orders,
      defaultSort,
      searched = [],
      searchedAtStart = [],
      maxLimit = maxPageLimit,
      idKind = 'text',
    }: Orders,
  ) {
    this.#name = name;
    this.#orders = orders;
    this.#idKind = idKind;
    this.sorts = Object.keys(orders).flatMap((order) => [order, `-${order}`]);
    this.defaultSort = defaultSort;
    this.searched = searched;
    this.searchedAtStart = searchedAtStart;
    this.maxLimit = maxLimit;
  }

  /**
   * Returns the page that the query asks for. `owners` are the identifiers and filters that the list depends on.
   * Throws `invalid_request`.
   */
  request(query: PageQuery, owners: readonly (string | null)[] = []): PageRequest {
    const { limit = defaultPageLimit, q } = query;
    if (!Number.isInteger(limit) || limit < 1 || limit > this.maxLimit) {
      throw invalidField('limit', `limit must be a whole number from 1 to ${this.maxLimit}`);
    }
    const sort = query.sort ?? (q === undefined ? this.defaultSort : 'name');
    if (!this.sorts.includes(sort)) throw invalidField('sort', `sort must be ${listed(this.sorts)}`);
    const order = sort.replace('-', '');
    const scope = scopeOf([this.#name, ...owners, sort, q ?? null]);
    return {
      limit,
      order,
      isDescending: sort !== order,
      ...this.#searchOf(q),
      after:
        query.after === undefined
          ? null
          : readCursor(query.after, scope, [this.#orders[order]!, this.#idKind]),
      scope,
    };
  }

  #searchOf(q: string | undefined): Pick<PageRequest, 'search' | 'id'> {
    if (q === undefined) return { search: null, id: null };
    if (this.searched.length === 0) throw invalidField('q', 'This list has no search: leave out q');
    if (q === '' || q.length > maxSearchLength || q.includes('\0')) {
      throw invalidField('q', `q must have 1 to ${maxSearchLength} characters, none of them NUL`);
    }
    const id = storedId(q) ?? null;
    return { search: id === null ? foldCase(q) : null, id };
  }
}

/** Returns the cursor to continue after a row. It has only values of the row, and is not signed: it permits nothing. */
export function cursorAfter({ scope }: PageRequest, values: readonly SortValue[]): string {
  return Buffer.from(JSON.stringify([scope, ...values])).toString('base64url');
}

function readCursor(cursor: string, scope: string, [kind, idKind]: [ValueKind, ValueKind]): SortValue[] {
  const [found, value, id, ...others] = parsed(cursor);
  if (found !== scope || others.length > 0 || !isOf(kind, value) || !isOf(idKind, id)) {
    throw invalidField(
      'after',
      'after must be the value of next from the page before, with the same list, sort, q and filters',
    );
  }
  return [value, id];
}

function parsed(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function isOf(kind: ValueKind, value: unknown): value is SortValue {
  return kind === 'number'
    ? Number.isSafeInteger(value)
    : typeof value === 'string' && !value.includes('\0') && value.isWellFormed();
}

const scopeOf = (parts: readonly (string | null)[]): string =>
  hash('sha256', JSON.stringify(parts), 'base64url').slice(0, scopeLength);

/** Returns, for example, `a, b or c`. */
function listed(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), names.at(-1)].join(' or ');
}
