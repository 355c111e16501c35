import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { userQuery } from '../../api/auth.ts';
import {
  type ListedOrganization,
  type OrganizationSearch,
  organizationsQuery,
} from '../../api/organizations.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import {
  capitalized,
  formatAgoOrDay,
  formatChange,
  formatCount,
  formatDay,
  formatTotal,
} from '../../lib/format.ts';
import { quotaShare } from '../../lib/quota.ts';
import { useListSearch } from '../../lib/use-list-search.ts';
import { Badge } from '../../ui/badge.tsx';
import { ShareBar, usedLook } from '../../ui/bar.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { type Row, RowName, row, Table } from '../../ui/table.tsx';

const columnsFor = (isAdmin: boolean) => [
  { name: 'Name', order: 'name' },
  { name: 'Plan', isExtra: true },
  { name: 'Used', numeric: true },
  'Runs out',
  { name: '28 days', numeric: true },
  { name: '429s today', numeric: true, isExtra: true },
  { name: 'Owner', isExtra: true },
  'Last request',
  // For others, this order is that of their memberships.
  { name: 'Created', isExtra: true, ...(isAdmin && { order: 'created' }) },
];

/** Many organizations, to find one among them by its name. */
export function OrganizationList() {
  const list = useListSearch();
  const { data: user } = useQuery(userQuery);
  const { q, sort = q ? 'name' : '-created' } = list.search;
  const search = { q, sort } as OrganizationSearch;
  const query = useInfiniteQuery({ ...organizationsQuery(search), placeholderData: keepPreviousData });
  const total = query.data?.total;
  return (
    <div className="grid grid-cols-1 gap-3">
      <SearchField {...list.field} label="Search organizations" />
      {total != null && (
        <p className="text-muted tabular-nums">
          {formatTotal(total)} {total === 1 ? 'organization' : 'organizations'}
        </p>
      )}
      <LoadMore query={query} name="organizations" rows={12} isSearchable>
        {(rows) =>
          rows.length === 0 ? (
            <p className="py-4 text-muted">No organization matches.</p>
          ) : (
            <Table
              caption="Organizations"
              columns={columnsFor(user?.is_admin ?? false)}
              rows={rows.map(rowOf)}
              sort={sort}
              onSort={list.sortBy}
            />
          )
        }
      </LoadMore>
    </div>
  );
}

/** How much an organization has used, whether that will do, and who is responsible. */
function rowOf(organization: ListedOrganization): Row {
  const { org_id: orgId, name, tier, quota, exhausts_at, series_28d, refused_today, owner } = organization;
  const share = quotaShare(quota);
  return row(
    orgId,
    <RowName name={name} to={`/organizations/${orgId}/usage`} />,
    capitalized(tier),
    <span title={`${formatCount(quota.used)} ${quota.unit}`} className="flex">
      {share === null ? (
        <span className="text-muted">Unlimited</span>
      ) : (
        <ShareBar share={share} look={usedLook(share)} />
      )}
    </span>,
    share !== null && share >= 1 ? (
      <Badge look="danger">Over quota</Badge>
    ) : exhausts_at ? (
      <span className="text-danger">{formatDay(exhausts_at)}</span>
    ) : (
      <span className="text-muted">–</span>
    ),
    <Trend series={series_28d} />,
    refused_today === 0 ? <span className="text-muted">0</span> : formatCount(refused_today),
    <span dir="auto" className="block sm:max-w-40 sm:truncate">
      {owner ?? '–'}
    </span>,
    organization.last_request_at ? formatAgoOrDay(organization.last_request_at) : 'Never',
    formatDay(organization.created_at),
  );
}

/** The requests of each day as a line, their sum, and how the second half differs from the first. */
export function Trend({ series }: { series: readonly number[] }) {
  const half = series.length / 2;
  const sumOf = (days: readonly number[]): number => days.reduce((sum, of) => sum + of, 0);
  const [before, after] = [sumOf(series.slice(0, half)), sumOf(series.slice(half))];
  return (
    <Sparkline values={series}>
      <span>{formatCount(before + after)}</span>
      <span
        className="inline-block min-w-12 pl-2 text-muted"
        title={`The last ${half} days, compared with those before`}
      >
        {before > 0 && formatChange(after / before - 1)}
      </span>
    </Sparkline>
  );
}
