import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { userQuery } from '../../api/auth.ts';
import { organizationsQuery } from '../../api/organizations.ts';
import { formatCountdown } from '../../lib/format.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { useNow } from '../../lib/use-now.ts';
import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { QuotaBar } from '../../ui/quota-bar.tsx';
import { SkeletonBlock } from '../../ui/skeleton.tsx';
import { NewOrganization } from './new-organization.tsx';

export default function Organizations() {
  usePageTitle('Organizations');
  const query = useQuery(organizationsQuery);
  const { data: user } = useQuery(userQuery);
  const nowMs = useNow(60_000);
  return (
    <>
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-2">
        <h1 className="font-semibold text-xl">Organizations</h1>
        {user?.is_admin && <NewOrganization />}
      </div>
      <Loaded query={query} placeholder={<SkeletonBlock height={9} />}>
        {(organizations) =>
          organizations.length === 0 ? (
            <Empty title="You belong to no organization yet.">
              Ask an owner or an administrator of one to invite you by your e-mail address.
            </Empty>
          ) : (
            <ul className="grid gap-4 sm:grid-cols-2">
              {organizations.map(({ org_id, name, tier, quota }) => (
                <li key={org_id} className="min-w-0">
                  <Link
                    to="/organizations/$orgId/usage"
                    params={{ orgId: org_id }}
                    className="grid gap-3 rounded-lg border border-line bg-surface p-4 hover:border-field"
                  >
                    <span className="flex min-w-0 items-center justify-between gap-2">
                      <span className="min-w-0 truncate font-semibold">{name}</span>
                      <Badge>{tier}</Badge>
                    </span>
                    <QuotaBar used={quota.used} limit={quota.limit} />
                    <span className="text-muted">
                      Resets in {formatCountdown(Date.parse(quota.resets_at), nowMs)}
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}
