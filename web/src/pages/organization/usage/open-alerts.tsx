import { useQuery } from '@tanstack/react-query';
import { openAlertsQuery } from '../../../api/alerts.ts';
import type { Organization } from '../../../api/organizations.ts';
import { Empty } from '../../../ui/empty.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { AlertTable } from '../alerts/alert-table.tsx';
import { openAlerts } from '../alerts/alert-text.ts';

/** The alerts of current windows that nobody has acknowledged yet. */
export function OpenAlerts({ organization: { org_id: orgId, may } }: { organization: Organization }) {
  const query = useQuery(openAlertsQuery(orgId));
  return (
    <Loaded query={query} placeholder={<SkeletonRows />}>
      {(alerts) =>
        openAlerts(alerts).length === 0 ? (
          <Empty title="No open alerts." />
        ) : (
          <AlertTable
            orgId={orgId}
            alerts={openAlerts(alerts)}
            mayAcknowledge={may.includes('alerts.acknowledge')}
          />
        )
      }
    </Loaded>
  );
}
