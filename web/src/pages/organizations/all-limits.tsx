import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { allLimitsQuery, type LimitUse } from '../../api/limits.ts';
import { isStatus } from '../../api/problem.ts';
import { capitalized, formatCount, formatMoment } from '../../lib/format.ts';
import { formatReset } from '../../lib/quota.ts';
import { useNow } from '../../lib/use-now.ts';
import { ShareBar, usedLook } from '../../ui/bar.tsx';
import { Empty } from '../../ui/empty.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { RowName, row, Table } from '../../ui/table.tsx';
import { NotFound } from '../not-found.tsx';
import { describeLimit } from '../organization/limits/limit-text.ts';

const columns = [
  'Organization',
  { name: 'For', isLongName: true },
  'Limit',
  { name: 'Used', numeric: true },
  { name: 'Share', numeric: true },
  'Resets',
];

/** Returns whose requests a limit counts, and the page below the organization's where it can be changed. */
function scopeOf({ key_id, key_name, user_id, user_name, applies_to }: LimitUse): [string, string] {
  if (key_id) return [`Key ${key_name ?? key_id}`, `keys/${key_id}`];
  if (user_id) return [user_name ?? user_id, 'members'];
  return applies_to === 'new_keys' ? ['New keys', 'keys'] : ['All requests', 'plan'];
}

/** The limits of all organizations, for administrators: those that are nearly used up come first. */
export default function AllLimits() {
  const query = useInfiniteQuery(allLimitsQuery);
  const nowMs = useNow(10_000);
  if (isStatus(query.error, 403)) return <NotFound />;
  const rowOf = (limit: LimitUse) => {
    const { limit_id, org_id, org_name, used, amount, resets_at, applies_to } = limit;
    const [whose, path] = scopeOf(limit);
    const organization = `/organizations/${org_id}`;
    const counts = applies_to === 'requests';
    return row(
      limit_id,
      <RowName name={org_name} to={`${organization}/usage`} />,
      <Link
        to={`${organization}/${path}`}
        search={(counts ? {} : { tab: 'limits' }) as never}
        title={whose}
        className="block max-w-60 truncate hover:underline"
      >
        {whose}
      </Link>,
      describeLimit(limit),
      counts && formatCount(used),
      counts && <ShareBar share={used / amount} look={usedLook(used / amount)} />,
      counts && <span title={formatMoment(resets_at)}>{capitalized(formatReset(limit, nowMs))}</span>,
    );
  };
  return (
    <Page title="Limits">
      <LoadMore query={query} name="limits" rows={10}>
        {(limits) =>
          limits.length === 0 ? (
            <Empty title="No organization has a limit beside its quota." />
          ) : (
            <Table caption="Limits of all organizations" columns={columns} rows={limits.map(rowOf)} />
          )
        }
      </LoadMore>
    </Page>
  );
}
