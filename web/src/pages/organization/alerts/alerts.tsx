import { useQuery } from '@tanstack/react-query';
import { alertSettingsQuery, alertsQuery, deliveriesQuery, targetsQuery } from '../../../api/alerts.ts';
import { formatMoment } from '../../../lib/format.ts';
import { may } from '../../../lib/roles.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { Targets } from './targets.tsx';
import { ThresholdsForm } from './thresholds-form.tsx';

export default function Alerts() {
  const { org_id: orgId, role } = useOrganization('Alerts');
  const mayManage = may(role, 'manage alerts');
  const alerts = useQuery(alertsQuery(orgId));
  const settings = useQuery(alertSettingsQuery(orgId));
  const targets = useQuery(targetsQuery(orgId));
  const deliveries = useQuery(deliveriesQuery(orgId));
  return (
    <>
      <Card title="Raised alerts">
        <Loaded query={alerts} placeholder={<SkeletonRows />}>
          {(found) =>
            found.length === 0 ? (
              <Empty title="No alert has been raised.">
                One is raised, once a window, when usage passes a threshold below.
              </Empty>
            ) : (
              <ul className="divide-y divide-line">
                {found.map(({ alert_id, message, raised_at, current }) => (
                  <li key={alert_id} className="flex flex-wrap items-center justify-between gap-2 py-2">
                    <span>{message}</span>
                    <span className="flex items-center gap-2 text-muted">
                      {formatMoment(raised_at)}
                      {current && <Badge look="warning">current</Badge>}
                    </span>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
      <Card title="Thresholds">
        <Loaded query={settings} placeholder={<SkeletonRows />}>
          {(found) => <ThresholdsForm orgId={orgId} settings={found} mayChange={mayManage} />}
        </Loaded>
      </Card>
      <Card title="Where alerts go">
        <Loaded query={targets} placeholder={<SkeletonRows />}>
          {(found) => <Targets orgId={orgId} targets={found} mayChange={mayManage} />}
        </Loaded>
      </Card>
      <Card title="Deliveries">
        <Loaded query={deliveries} placeholder={<SkeletonRows />}>
          {(found) => <DeliveryTable orgId={orgId} deliveries={found} mayResend={mayManage} />}
        </Loaded>
      </Card>
    </>
  );
}
