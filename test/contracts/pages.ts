import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { auditList } from '../../src/audit/entry.ts';
import { keyList } from '../../src/keys/key.ts';
import { foldCase, type PageQuery } from '../../src/lib/page.ts';
import type { Stores } from '../../src/service/stores.ts';
import { TestClock } from '../helpers/clock.ts';
import { Random } from '../helpers/random.ts';
import { type AddedRow, type ListedRows, listedRows } from './listed-rows.ts';
import type { OpenStores } from './stores.ts';

const rowsAtFirst = 12;
const seed = 20_261_122;

/** What every database guarantees about lists that are read in pages. */
export function pagesContract(name: string, open: OpenStores): void {
  describe(`lists in pages on ${name}`, () => {
    const random = new Random(seed);
    let stores: Stores;
    let lists: ListedRows[];
    before(async () => {
      stores = await open(new TestClock('2026-11-21T03:00:00Z'));
      lists = await listedRows(stores, random);
    });
    after(() => stores.close());

    test('every order has each row once, sorted by bytes and then by id, however long the pages are', async () => {
      for (const one of lists) {
        const known = await fill(one);
        for (const sort of one.list.sorts) {
          const expected = inOrder([...known.values()], sort);
          for (const limit of [1, 7, 100]) {
            const found = await readAll(one, { sort, limit });
            assert.deepEqual(
              found.filter((id) => known.has(id)),
              expected,
              `${one.name} by ${sort}`,
            );
            assert.equal(new Set(found).size, found.length);
          }
        }
      }
    });

    test('rows that exist all the time are listed once while others are added and deleted', async () => {
      for (const one of lists) {
        let present = new Map<string, AddedRow>();
        for (const sort of one.list.sorts) {
          present = await fill(one, present);
          const known = new Map(present);
          const stable = new Set(known.keys());
          const seen: string[] = [];
          let after: string | undefined;
          do {
            const page = await one.read({ sort, after, limit: 3 + random.below(9) });
            seen.push(...page.data);
            assert.equal(new Set(seen).size, seen.length, `${one.name} by ${sort} lists a row twice`);
            after = page.next ?? undefined;
            for (let i = random.below(3); i > 0; i -= 1) {
              const row = await one.add();
              known.set(row.id, row);
              present.set(row.id, row);
            }
            // The last row of the page is deleted often, because the cursor names it.
            const last = seen.at(-1)!;
            const candidates = random.below(2) === 0 && known.has(last) ? [last] : [...stable];
            const gone = random.pick(candidates);
            stable.delete(gone);
            present.delete(gone);
            if (known.has(gone)) await one.delete(gone);
          } while (after !== undefined);
          for (const id of stable) assert.ok(seen.includes(id), `${one.name} by ${sort} misses ${id}`);
          assert.deepEqual(
            seen.filter((id) => known.has(id)),
            inOrder(
              seen.flatMap((id) => known.get(id) ?? []),
              sort,
            ),
          );
        }
      }
    });

    test('a search lists the rows that contain it, whatever the case of A to Z, in pages', async () => {
      for (const one of lists) {
        if (one.list.searched.length === 0) continue;
        const known = await fill(one);
        for (const q of [
          'a',
          'ACME',
          'cme ',
          'b',
          '_',
          '%',
          '0%',
          '\\',
          'Ä',
          'ä',
          '😀',
          'zz',
          '1',
          'b-',
          '…00a',
        ]) {
          // One order per search, because the condition and the order don't depend on each other.
          const sort = random.pick(one.list.sorts);
          const { searched, searchedAtStart } = one.list;
          const matching = [...known.values()].filter(
            ({ values }) =>
              searched.some((text) => String(values[text]).includes(foldCase(q))) ||
              searchedAtStart.some((text) => String(values[text]).startsWith(foldCase(q))),
          );
          const found = await readAll(one, { sort, q, limit: 7 });
          assert.deepEqual(
            found.filter((id) => known.has(id)),
            inOrder(matching, sort),
            `${one.name} by ${sort} from ${q}`,
          );
        }
        const [id] = known.keys();
        assert.deepEqual(await one.read({ q: id!.toUpperCase() }), {
          data: [id],
          next: null,
          total: one.list === keyList ? null : 1,
        });
      }
    });

    async function fill(one: ListedRows, known = new Map<string, AddedRow>()) {
      while (known.size < rowsAtFirst) {
        const row = await one.add();
        known.set(row.id, row);
      }
      return known;
    }
  });
}

async function readAll(one: ListedRows, query: PageQuery): Promise<string[]> {
  const found: string[] = [];
  const totals: (number | null)[] = [];
  let after: string | undefined;
  do {
    const page = await one.read({ ...query, after });
    found.push(...page.data);
    totals.push(page.total);
    assert.equal(new Set(found).size, found.length, 'a page has a row of an earlier one');
    after = page.next ?? undefined;
  } while (after !== undefined);
  const [first, ...others] = totals;
  // The route of the keys counts them by their status, and nobody counts the entries of a year.
  const isCounted =
    ![keyList, auditList].includes(one.list) && (query.q === undefined || others.length === 0);
  assert.equal(first, isCounted ? found.length : null);
  assert.ok(others.every((total) => total === null));
  return found;
}

/** Returns the ids in the order of the list. */
function inOrder(rows: readonly AddedRow[], sort: string): string[] {
  const order = sort.replace('-', '');
  const sorted = rows.toSorted((a, b) => compare(a.values[order]!, b.values[order]!) || compare(a.id, b.id));
  return (sort === order ? sorted : sorted.reverse()).map(({ id }) => id);
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number') return a - Number(b);
  return Buffer.compare(Buffer.from(a), Buffer.from(String(b)));
}
