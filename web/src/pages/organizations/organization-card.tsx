import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { openAlertsQuery } from '../../api/alerts.ts';
import type { ListedOrganization } from '../../api/organizations.ts';
import { lastTrendQuery, previousTrendQuery } from '../../api/usage.ts';
import { isUsedUp } from '../../lib/quota.ts';
import { useInView } from '../../lib/use-in-view.ts';
import { Problem } from '../../ui/problem.tsx';
import { AlertLine } from './alert-line.tsx';
import { Standing } from './standing.tsx';
import { TopKeys } from './top-keys.tsx';
import { Trend } from './trend.tsx';

interface Props {
  organization: ListedOrganization;
  nowMs: number;
}

const alertsRefreshMs = 60_000;

/**
 * An organization at a glance. Everything but its quota loads when the card comes into view, since there may
 * be hundreds.
 */
export function OrganizationCard({ organization, nowMs }: Props) {
  const { org_id: orgId, name, tier, quota } = organization;
  const id = useId();
  const [card, enabled] = useInView<HTMLElement>();
  const usage = useQuery({ ...lastTrendQuery(orgId, nowMs), enabled });
  const previous = useQuery({ ...previousTrendQuery(orgId, nowMs), enabled });
  const alerts = useQuery({
    ...openAlertsQuery(orgId),
    enabled,
    staleTime: alertsRefreshMs,
    refetchInterval: alertsRefreshMs,
  });
  const queries: readonly UseQueryResult<unknown>[] = [usage, previous, alerts];
  const missing = queries.filter(({ data }) => data === undefined);
  const usageError = missing.find((query) => query !== alerts && query.error)?.error;
  const alertsError = missing.includes(alerts) && alerts.error;
  const retry = () => Promise.all(missing.map((query) => query.refetch()));
  return (
    <article
      ref={card}
      aria-labelledby={id}
      aria-busy={missing.some((query) => !query.error)}
      className="overflow-clip rounded-lg border border-line bg-surface"
    >
      <header className="flex min-h-13 items-center justify-between gap-3 border-line border-b px-4 py-2">
        <h2 id={id} className="min-w-0 font-semibold">
          <Link
            to="/organizations/$orgId/usage"
            params={{ orgId }}
            title={name}
            className="block truncate rounded-md -outline-offset-2 hover:underline"
          >
            {name}
          </Link>
        </h2>
        <span className="text-muted">{tier}</span>
      </header>
      <div className="grid grid-cols-1 gap-x-8 gap-y-5 p-4 sm:grid-cols-2 lg:grid-cols-3">
        {/* From the report if it has loaded, so that all figures of the card are of the same moment. */}
        <Standing quota={usage.data?.quota ?? quota} nowMs={nowMs} />
        {usageError ? (
          <div className="lg:col-span-2">
            <Problem error={usageError} onRetry={retry} />
          </div>
        ) : (
          <>
            <Trend report={usage.data} previous={previous.data} />
            <TopKeys report={usage.data} />
          </>
        )}
      </div>
      {alertsError ? (
        // One retry button is enough: the one above loads everything that is missing.
        !usageError && (
          <div className="px-4 pb-4">
            <Problem error={alertsError} onRetry={retry} />
          </div>
        )
      ) : (
        <AlertLine
          orgId={orgId}
          name={name}
          alerts={alerts.data}
          isOverQuota={isUsedUp(usage.data?.quota ?? quota, nowMs)}
        />
      )}
    </article>
  );
}
