import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { modelsQuery } from '../../../api/embeddings.ts';
import {
  deprecatedUsageQuery,
  type Grouping,
  lastYear,
  periodOf,
  rowsAtOnce,
  usageQuery,
} from '../../../api/usage.ts';
import { OrganizationPage } from '../../../frame/organization-page.tsx';
import { isNew, isNewHere } from '../../../lib/quota.ts';
import { useAddress } from '../../../lib/use-address.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { useKeyName } from '../../../lib/use-person-name.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { SkeletonBlock, SkeletonRows } from '../../../ui/skeleton.tsx';
import { Tabs, useTab } from '../../../ui/tabs.tsx';
import { OpenAlerts } from '../alerts/alert-table.tsx';
import { KeyPicker } from '../pickers.tsx';
import { GetStarted } from '../start/start.tsx';
import { KeyBreakdown, ModelBreakdown } from './breakdowns.tsx';
import { DeprecatedModels } from './deprecated-models.tsx';
import { ExportButton } from './export-button.tsx';
import { Headline } from './headline.tsx';
import { RangeSelect } from './range-select.tsx';
import { UsageChart, type View } from './usage-chart.tsx';

// They have menus, which the page itself does without.
const Export = lazy(() => import('./export.tsx'));
const Limits = lazy(async () => ({ default: (await import('../limits/limits.tsx')).Limits }));

const tabs = { keys: 'By key', models: 'By model', limits: 'Limits', alerts: 'Alerts' } as const;

/** The usage of an organization: its standing, its history, and who causes it. */
export default function Usage() {
  const organization = useOrganization();
  const { org_id: orgId, quota } = organization;
  // Until someone leaves the page, so that the key and the steps don't vanish with its first request.
  const [wasNew] = useState(() => isNew(organization));
  const [search, change] = useAddress();
  const navigate = useNavigate();
  const period = periodOf(search.period);
  const view = (search.view ?? 'requests') as View;
  const group = (search.group ?? 'outcome') as Grouping;
  const [maxKeys, setMaxKeys] = useState(rowsAtOnce);
  const usage = useQuery(usageQuery(orgId, period, search.key, { maxKeys }));
  const deprecated = useQuery(deprecatedUsageQuery(orgId));
  const models = useQuery(modelsQuery);
  const tab = useTab(tabs);
  const people = (usage.data?.keys ?? []).filter(({ name }) => name === null);
  const nameOf = useKeyName(people);

  return (
    <OrganizationPage
      title="Usage"
      actions={
        <>
          <RangeSelect value={period} onChange={(next) => change({ period: next })} />
          <KeyPicker
            value={search.key ?? ''}
            people={people.map((person) => ({ id: person.key_id, name: nameOf(person) }))}
            onChange={(key) => change({ key })}
          />
          <Suspense fallback={<ExportButton disabled />}>
            <Export period={period} keyId={search.key} />
          </Suspense>
        </>
      }
    >
      {/* Notices that appeared later would move the page. */}
      {deprecated.isPending || models.isPending || usage.isPending ? (
        <SkeletonBlock height={30} />
      ) : (
        <>
          <DeprecatedModels usage={deprecated.data ?? []} />
          {/* From the report if it has loaded, so that all figures of the page are of the same moment. */}
          <Headline quota={usage.data?.quota ?? quota} report={usage.data} />
          {!wasNew && isNewHere(organization) && (
            <p className="text-muted">
              You have not sent a request here yet.{' '}
              <Link to="/organizations/$orgId/start" params={{ orgId }} className="text-accent underline">
                Get started
              </Link>
            </p>
          )}
          {wasNew && <GetStarted />}
          {!isNew(organization) && (
            <UsageChart
              period={period}
              keyId={search.key}
              view={view}
              group={group}
              isCompared={search.compare !== undefined}
              onChange={change}
              onRange={(from, to) => change({ period: `${from}:${to}` })}
              onOpen={(of) => {
                if (period === lastYear) return change({ period: of });
                void navigate({
                  to: '/organizations/$orgId/requests',
                  params: { orgId },
                  search: { ...momentsOf(of), ...(search.key && { key: search.key }) },
                });
              }}
            />
          )}
          <div className="grid grid-cols-1 gap-4">
            <Tabs label="Usage in detail" tabs={tabs} value={tab} />
            {(tab === 'keys' || tab === 'models') && (
              <Loaded query={usage} placeholder={<SkeletonRows />}>
                {(report) =>
                  tab === 'keys' ? (
                    <KeyBreakdown report={report} onMore={setMaxKeys} />
                  ) : (
                    <ModelBreakdown report={report} />
                  )
                }
              </Loaded>
            )}
            {tab === 'limits' && (
              <Suspense fallback={<SkeletonRows />}>
                <Limits />
              </Suspense>
            )}
            {tab === 'alerts' && <OpenAlerts />}
          </div>
        </>
      )}
    </OrganizationPage>
  );
}

/** Returns the first and the last moment of a day such as 2026-11-21, or of an hour such as 2026-11-21T05:00. */
function momentsOf(period: string): { from: string; to: string } {
  const isDay = period.length === 'YYYY-MM-DD'.length;
  const fromMs = Date.parse(isDay ? `${period}T00:00:00Z` : `${period}:00Z`);
  const lengthMs = isDay ? 86_400_000 : 3_600_000;
  return { from: new Date(fromMs).toISOString(), to: new Date(fromMs + lengthMs).toISOString() };
}
