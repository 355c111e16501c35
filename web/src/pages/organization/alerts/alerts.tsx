import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { alertSettingsQuery, alertsQuery } from '../../../api/alerts.ts';
import { OrganizationPage } from '../../../frame/organization-page.tsx';
import { useOrganization } from '../../../lib/use-organization.ts';
import { LoadMore } from '../../../ui/load-more.tsx';
import { Tabs, useTab } from '../../../ui/tabs.tsx';
import { OpenAlerts } from '../usage/open-alerts.tsx';
import { AlertTable } from './alert-table.tsx';
import { Deliveries } from './deliveries.tsx';
import { Rules } from './rules.tsx';
import { Targets } from './targets.tsx';

const tabs = { open: 'Open', history: 'History', rules: 'Rules and channels' } as const;
const allTabs = { ...tabs, deliveries: 'Deliveries' } as const;

export default function Alerts() {
  const organization = useOrganization();
  const { org_id: orgId, may } = organization;
  const mayRead = may.includes('targets.read');
  const shown = mayRead ? allTabs : tabs;
  const tab = useTab<keyof typeof allTabs>(shown as typeof allTabs);
  const settings = useQuery({ ...alertSettingsQuery(orgId), enabled: tab === 'rules' });
  return (
    <OrganizationPage title="Alerts">
      <div className="grid grid-cols-1 gap-6">
        <Tabs label="Alerts" tabs={shown} value={tab} />
        {tab === 'open' && <OpenAlerts organization={organization} />}
        {tab === 'history' && <History orgId={orgId} mayAcknowledge={may.includes('alerts.acknowledge')} />}
        {tab === 'rules' && (
          <>
            <Rules orgId={orgId} mayChange={may.includes('alerts.change')} />
            {/* Not before the settings, which would move them. */}
            {mayRead && !settings.isPending && (
              <Targets orgId={orgId} mayChange={may.includes('targets.change')} />
            )}
          </>
        )}
        {tab === 'deliveries' && <Deliveries orgId={orgId} mayResend={may.includes('targets.change')} />}
      </div>
    </OrganizationPage>
  );
}

function History({ orgId, mayAcknowledge }: { orgId: string; mayAcknowledge: boolean }) {
  return (
    <LoadMore query={useInfiniteQuery(alertsQuery(orgId))} name="alerts">
      {(found) => <AlertTable orgId={orgId} alerts={found} mayAcknowledge={mayAcknowledge} />}
    </LoadMore>
  );
}
