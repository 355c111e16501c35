import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { alertSettingsQuery, alertsQuery } from '../../../api/alerts.ts';
import { OrganizationPage } from '../../../frame/organization-page.tsx';
import { useOrganization } from '../../../lib/use-organization.ts';
import { LoadMore } from '../../../ui/load-more.tsx';
import { Tabs, useTab } from '../../../ui/tabs.tsx';
import { AlertTable, OpenAlerts } from './alert-table.tsx';
import { Deliveries } from './deliveries.tsx';
import { Rules } from './rules.tsx';
import { Targets } from './targets.tsx';

const tabs = { open: 'Open', history: 'History', rules: 'Rules and channels' } as const;
const allTabs = { ...tabs, deliveries: 'Deliveries' } as const;

export default function Alerts() {
  const { org_id: orgId, may } = useOrganization();
  const mayRead = may.includes('targets.read');
  const shown = mayRead ? allTabs : tabs;
  const tab = useTab<keyof typeof allTabs>(shown as typeof allTabs);
  const settings = useQuery({ ...alertSettingsQuery(orgId), enabled: tab === 'rules' });
  return (
    <OrganizationPage title="Alerts">
      <div className="grid grid-cols-1 gap-6">
        <Tabs label="Alerts" tabs={shown} value={tab} />
        {tab === 'open' && <OpenAlerts />}
        {tab === 'history' && <History />}
        {tab === 'rules' && (
          <>
            <Rules />
            {/* Not before the settings, which would move them. */}
            {!settings.isPending && <Targets />}
          </>
        )}
        {tab === 'deliveries' && <Deliveries />}
      </div>
    </OrganizationPage>
  );
}

function History() {
  return (
    <LoadMore query={useInfiniteQuery(alertsQuery(useOrganization().org_id))} name="alerts">
      {(alerts) => <AlertTable alerts={alerts} />}
    </LoadMore>
  );
}
