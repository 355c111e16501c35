import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { modelsQuery } from '../../../api/embeddings.ts';
import { deprecatedUsageQuery, periodOf, usageQuery } from '../../../api/usage.ts';
import { OrganizationPage } from '../../../frame/organization-page.tsx';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Card } from '../../../ui/card.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { SkeletonBlock, SkeletonRows } from '../../../ui/skeleton.tsx';
import { LimitTable } from '../limits/limit-table.tsx';
import { DeprecatedModels } from './deprecated-models.tsx';
import { Export } from './export.tsx';
import { History } from './history.tsx';
import { KeyBreakdown } from './key-breakdown.tsx';
import { KeySelect } from './key-select.tsx';
import { ModelBreakdown } from './model-breakdown.tsx';
import { PeriodSelect } from './period-select.tsx';
import { ProjectionNote } from './projection-note.tsx';
import { Standing } from './standing.tsx';

const route = getRouteApi('/signed-in/organizations/$orgId/usage');

export default function Usage() {
  const { org_id: orgId, quota } = useOrganization();
  const { period: wanted, key: keyId } = route.useSearch();
  const period = periodOf(wanted);
  const navigate = useNavigate({ from: '/organizations/$orgId/usage' });
  const usage = useQuery(usageQuery(orgId, period));
  const history = useQuery(usageQuery(orgId, period, keyId));
  const deprecated = useQuery(deprecatedUsageQuery(orgId));
  const models = useQuery(modelsQuery);
  // With those of the selected key.
  const limits = history.data?.limits ?? [];
  const change = (search: { period?: string; key?: string | undefined }) =>
    navigate({ search: (before) => ({ ...before, ...search }) });

  // Notices that appeared later would move the page.
  if (deprecated.isPending || models.isPending) return <SkeletonBlock height={30} />;
  return (
    <OrganizationPage title="Usage">
      <DeprecatedModels orgId={orgId} usage={deprecated.data ?? []} />
      {/* From the report if it has loaded, so that all figures of the page are of the same moment. */}
      <Standing
        quota={usage.data?.quota ?? quota}
        updatedAtMs={usage.dataUpdatedAt}
        isStale={usage.isRefetchError || usage.isPaused}
      >
        <Loaded query={usage} placeholder={<SkeletonBlock height={2.75} />}>
          {(report) => <ProjectionNote projection={report.projection} quota={report.quota} />}
        </Loaded>
      </Standing>
      <Card
        title="History"
        actions={
          <>
            <KeySelect
              orgId={orgId}
              report={usage.data ?? null}
              value={keyId}
              onChange={(key) => change({ key })}
            />
            <PeriodSelect value={period} onChange={(next) => change({ period: next })} />
            <Export orgId={orgId} period={period} keyId={keyId} />
          </>
        }
      >
        <Loaded query={history} placeholder={<SkeletonBlock height={26} />}>
          {(report) => <History report={report} />}
        </Loaded>
      </Card>
      <Card title="By key">
        <Loaded query={usage} placeholder={<SkeletonRows />}>
          {(report) => <KeyBreakdown report={report} />}
        </Loaded>
      </Card>
      <Card title="By model">
        <Loaded query={usage} placeholder={<SkeletonRows />}>
          {(report) => <ModelBreakdown report={report} />}
        </Loaded>
      </Card>
      {/* The last one, since a card that appears later must move nothing. */}
      {limits.length > 0 && (
        <Card title="Limits">
          <LimitTable
            limits={limits}
            scopeOf={({ key_id }) => (key_id === null ? 'all keys' : 'the selected key')}
          />
        </Card>
      )}
    </OrganizationPage>
  );
}
