import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import {
  type ListedOrganization,
  type OrganizationSearch,
  organizationsQuery,
} from '../../api/organizations.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { capitalized, formatAgo, formatChange, formatCount, formatDay } from '../../lib/format.ts';
import { quotaShare } from '../../lib/quota.ts';
import { useAddress } from '../../lib/use-address.ts';
import { useListSearch } from '../../lib/use-list-search.ts';
import { Badge } from '../../ui/badge.tsx';
import { ShareBar, usedLook } from '../../ui/bar.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { type Row, RowName, row, Table } from '../../ui/table.tsx';

const standings = { all: 'All', over: 'Over quota', at_risk: 'At risk', idle: 'Idle 30 d' } as const;
type Standing = keyof typeof standings;

const columns = [
  { name: 'Name', order: 'name' },
  'Plan',
  { name: 'Used', order: 'used', numeric: true },
  { name: 'Runs out', order: 'forecast' },
  { name: '28 days', numeric: true },
  { name: '429s today', order: 'refused', numeric: true },
  'Owner',
  'Last request',
];

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
        {(rows) =>
          rows.length === 0 ? (
            <p className="py-4 text-muted">No organization matches.</p>
          ) : (
            <Table
              caption="Organizations"
              columns={columns}
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
    <span className="block sm:max-w-40 sm:truncate">{owner ?? '–'}</span>,
    organization.last_request_at ? formatAgo(organization.last_request_at) : 'Never',
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
