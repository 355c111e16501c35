import type { ListedOrganization } from '../../api/organizations.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { formatAgo, formatChange, formatCount, formatDay } from '../../lib/format.ts';
import { quotaShare } from '../../lib/quota.ts';
import { Badge } from '../../ui/badge.tsx';
import { ShareBar, usedLook } from '../../ui/bar.tsx';
import { type Row, RowLink, row, Table } from '../../ui/table.tsx';

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
  return row(
    orgId,
    <RowLink name={name} to={`/organizations/${orgId}/usage`} />,
    tier,
    <span title={`${formatCount(quota.used)} ${quota.unit}`} className="inline-flex items-center gap-2">
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
    <span className="inline-flex items-center gap-2 tabular-nums">
      <Sparkline values={series} />
      <span className="min-w-12">{formatCount(before + after)}</span>
      <span className="min-w-10 text-muted" title={`The last ${half} days, compared with those before`}>
        {before > 0 && formatChange(after / before - 1)}
      </span>
    </span>
  );
}
