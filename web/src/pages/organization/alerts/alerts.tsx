import { useInfiniteQuery } from '@tanstack/react-query';
import { alertsQuery } from '../../../api/alerts.ts';
import { OrganizationPage } from '../../../frame/organization-page.tsx';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Card } from '../../../ui/card.tsx';
import { LoadMore } from '../../../ui/load-more.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { AlertTable } from './alert-table.tsx';
import { Deliveries } from './deliveries.tsx';
import { SettingsCard } from './settings-card.tsx';
import { Targets } from './targets.tsx';

export default function Alerts() {
  const organization = useOrganization();
  const { org_id: orgId, may } = organization;
  const alerts = useInfiniteQuery(alertsQuery(orgId));
  return (
    <OrganizationPage title="Alerts">
      <Card title="Alerts">
        <Loaded query={alerts} placeholder={<SkeletonRows />}>
          {(found) => (
            <LoadMore query={alerts} rows={found} name="alerts">
              <AlertTable orgId={orgId} alerts={found} mayAcknowledge={may.includes('alerts.acknowledge')} />
            </LoadMore>
          )}
        </Loaded>
      </Card>
      <SettingsCard orgId={orgId} mayChange={may.includes('alerts.change')} />
      {may.includes('targets.read') && (
        <>
          <Targets orgId={orgId} mayChange={may.includes('targets.change')} />
          <Deliveries orgId={orgId} mayResend={may.includes('targets.change')} />
        </>
      )}
    </OrganizationPage>
  );
}
