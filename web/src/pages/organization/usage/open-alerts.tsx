import { useQuery } from '@tanstack/react-query';
import { openAlertsQuery } from '../../../api/alerts.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Empty } from '../../../ui/empty.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { AlertTable } from '../alerts/alert-table.tsx';
import { openAlerts } from '../alerts/alert-text.ts';

/** The alerts of current windows that nobody has acknowledged yet. */
export function OpenAlerts() {
  const query = useQuery(openAlertsQuery(useOrganization().org_id));
  return (
    <Loaded query={query} placeholder={<SkeletonRows />}>
      {(alerts) =>
        openAlerts(alerts).length === 0 ? (
          <Empty title="No open alerts." />
        ) : (
          <AlertTable alerts={openAlerts(alerts)} />
        )
      }
    </Loaded>
  );
}
