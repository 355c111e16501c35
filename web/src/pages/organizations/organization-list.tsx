import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type OrganizationSearch, organizationsQuery } from '../../api/organizations.ts';
import { formatCount } from '../../lib/format.ts';
import { useAddress } from '../../lib/use-address.ts';
import { useListSearch } from '../../lib/use-list-search.ts';
import { LoadMore } from '../../ui/load-more.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { OrganizationTable } from './organization-table.tsx';

const standings = { all: 'All', over: 'Over quota', at_risk: 'At risk', idle: 'Idle 30 d' } as const;
type Standing = keyof typeof standings;

/** Many organizations, to find one among them: by its name, its standing or an order. */
export function OrganizationList({ isAdmin }: { isAdmin: boolean }) {
  const list = useListSearch();
  const [{ standing }, change] = useAddress();
  const filter: Standing = standing && standing in standings ? (standing as Standing) : 'all';
  const { q, sort = q ? 'name' : isAdmin ? '-used' : 'created' } = list.search;
  const search = { q, sort, standing: filter === 'all' ? undefined : filter } as OrganizationSearch;
  const query = useInfiniteQuery({
    ...organizationsQuery(search),
    placeholderData: keepPreviousData,
    select: ({ pages }) => ({
      organizations: pages.flatMap(({ data }) => data),
      total: pages[0]?.total ?? 0,
      totals: pages[0]?.totals,
    }),
  });
  const { organizations, total = 0, totals } = query.data ?? {};
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <SearchField {...list.field} label="Search organizations" />
        <Segmented
          legend="Which organizations"
          options={standings}
          value={filter}
          onChange={(next) => change({ standing: next })}
        />
      </div>
      {query.data && (
        <p className="text-muted tabular-nums">
          {formatCount(total)} {total === 1 ? 'organization' : 'organizations'}
          {totals && `, ${formatCount(totals.requests_28d)} requests in 28 days`}
        </p>
      )}
      <LoadMore query={{ ...query, data: organizations }} name="organizations" total={total} rows={12}>
        {(rows) => <OrganizationTable organizations={rows} sort={sort} onSort={list.sortBy} />}
      </LoadMore>
    </div>
  );
}
