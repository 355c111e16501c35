import { Link } from '@tanstack/react-router';
import type { ListedOrganization } from '../../api/organizations.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { formatAgo, formatChange, formatCount, formatDay, formatShare } from '../../lib/format.ts';
import { quotaShare } from '../../lib/quota.ts';
import { Badge } from '../../ui/badge.tsx';
import { type Row, RowLink, Table } from '../../ui/table.tsx';

interface Props {
  organizations: readonly ListedOrganization[];
  sort: string;
  onSort: (sort: string) => void;
}

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

/** One row for each organization: how much it has used, whether that will do, and who is responsible. */
export function OrganizationTable({ organizations, sort, onSort }: Props) {
  if (organizations.length === 0) return <p className="py-4 text-muted">No organization matches.</p>;
  return (
    <Table
      caption="Organizations"
      columns={columns}
      rows={organizations.map(rowOf)}
      sort={sort}
      onSort={onSort}
    />
  );
}

function rowOf(organization: ListedOrganization): Row {
  const { org_id: orgId, name, tier, quota, exhausts_at, series_28d, refused_today, owner } = organization;
  const share = quotaShare(quota);
  const requests = series_28d.reduce((sum, of) => sum + of, 0);
  return {
    key: orgId,
    cells: [
      <RowLink key="name" name={name}>
        <Link to="/organizations/$orgId/usage" params={{ orgId }} />
      </RowLink>,
      tier,
      <span
        key="used"
        title={`${formatCount(quota.used)} ${quota.unit}`}
        className="inline-flex items-center gap-2"
      >
        {share === null ? (
          <span className="text-muted">Unlimited</span>
        ) : (
          <>
            <span aria-hidden className="h-1.5 w-20 overflow-hidden rounded-full bg-raised">
              <span
                className={`block h-full rounded-full ${share >= 1 ? 'bg-danger' : share >= 0.8 ? 'bg-warning' : 'bg-accent'}`}
                style={{ width: `${Math.min(1, share) * 100}%` }}
              />
            </span>
            <span className="min-w-12">{formatShare(share)}</span>
          </>
        )}
      </span>,
      share !== null && share >= 1 ? (
        <Badge key="forecast" look="danger">
          Over quota
        </Badge>
      ) : exhausts_at ? (
        <span key="forecast" className="text-danger">
          {formatDay(exhausts_at)}
        </span>
      ) : (
        <span key="forecast" className="text-muted">
          –
        </span>
      ),
      <span key="trend" className="inline-flex items-center gap-2">
        <Sparkline values={series_28d} />
        <span className="min-w-12">{formatCount(requests)}</span>
        <span className="min-w-10 text-muted">{changeOf(series_28d)}</span>
      </span>,
      refused_today === 0 ? (
        <span key="refused" className="text-muted">
          0
        </span>
      ) : (
        formatCount(refused_today)
      ),
      <span key="owner" className="block sm:max-w-40 sm:truncate">
        {owner ?? '–'}
      </span>,
      organization.last_request_at ? formatAgo(organization.last_request_at) : 'Never',
    ],
  };
}

/** Returns how the second half of a series differs from the first. */
function changeOf(series: readonly number[]): string {
  const half = series.length / 2;
  const [before, after] = [series.slice(0, half), series.slice(half)].map((days) =>
    days.reduce((sum, of) => sum + of, 0),
  );
  return before ? formatChange((after ?? 0) / before - 1) : '';
}
