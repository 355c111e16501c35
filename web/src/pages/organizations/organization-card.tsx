import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { openAlertsQuery } from '../../api/alerts.ts';
import { keysQuery } from '../../api/keys.ts';
import type { ListedOrganization } from '../../api/organizations.ts';
import { capitalized, formatCount } from '../../lib/format.ts';
import { formatReset, isRate, isUsedUp } from '../../lib/quota.ts';
import { useNow } from '../../lib/use-now.ts';
import { Badge } from '../../ui/badge.tsx';
import { QuotaBar } from '../../ui/bar.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { SkeletonBlock } from '../../ui/skeleton.tsx';
import { RowName } from '../../ui/table.tsx';
import { alertTitle, openAlerts } from '../organization/alerts/alert-text.ts';
import { Trend } from './organization-list.tsx';

const shownKeys = 3;

/** An organization at a glance: its usage, its trend, its busiest keys, and its alerts. */
export function OrganizationCard({ organization }: { organization: ListedOrganization }) {
  const { org_id: orgId, name, tier, quota, series_28d } = organization;
  const { used, limit, unit, window } = quota;
  const id = useId();
  const nowMs = useNow(60_000);
  const keys = useInfiniteQuery(keysQuery(orgId, { sort: '-requests' }));
  const alerts = useQuery(openAlertsQuery(orgId));
  return (
    <article aria-labelledby={id} className="grid grid-cols-1 gap-4 rounded-lg border border-line p-4">
      <header className="flex items-baseline justify-between gap-3">
        <h2 id={id} className="min-w-0 truncate text-lg">
          <RowName name={name} to={`/organizations/${orgId}/usage`} />
        </h2>
        <span className="text-muted">{capitalized(tier)}</span>
      </header>
      <div className="grid grid-cols-1 gap-x-8 gap-y-4 sm:grid-cols-2 lg:grid-cols-4">
        <Part title={isRate(quota) ? 'Rate limit' : `This ${window}`}>
          {isRate(quota) && limit !== null ? (
            <p>{`${formatCount(limit)} ${unit} per ${window}`}</p>
          ) : (
            <QuotaBar used={used} limit={limit} unit={unit} />
          )}
          <p className="text-muted">Resets {formatReset(quota, nowMs)}</p>
        </Part>
        <Part title="Requests, 28 days">
          <Trend series={series_28d} />
        </Part>
        <Part title="Busiest keys, 30 days">
          <Loaded query={keys} placeholder={<SkeletonBlock height={3.75} />}>
            {({ rows }) => (
              <ol className="grid min-h-15 grid-cols-1 content-start">
                {rows.slice(0, shownKeys).map((key) => (
                  <li key={key.key_id} className="flex justify-between gap-3">
                    <Link
                      to="/organizations/$orgId/keys/$keyId"
                      params={{ orgId, keyId: key.key_id }}
                      title={key.name}
                      dir="auto"
                      className="truncate font-medium hover:underline"
                    >
                      {key.name}
                    </Link>
                    <span className="tabular-nums">{formatCount(key.requests_30d)}</span>
                  </li>
                ))}
                {rows.length === 0 && <li className="text-muted">No keys</li>}
              </ol>
            )}
          </Loaded>
        </Part>
        <Part title="Alerts">
          {isUsedUp(quota, nowMs) && <Badge look="danger">Over quota</Badge>}
          <Loaded query={alerts} placeholder={<SkeletonBlock height={2.5} />}>
            {(all) => {
              const [worst, ...others] = openAlerts(all);
              return (
                <Link
                  to="/organizations/$orgId/alerts"
                  params={{ orgId }}
                  className="block min-h-10 hover:underline"
                >
                  {worst ? alertTitle(worst) : 'No open alerts'}
                  {others.length > 0 && `, and ${others.length} more open`}
                </Link>
              );
            }}
          </Loaded>
        </Part>
      </div>
    </article>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid min-w-0 grid-cols-1 content-start gap-1.5">
      <h3 className="text-muted">{title}</h3>
      {children}
    </section>
  );
}
