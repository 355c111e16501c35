import { Link } from '@tanstack/react-router';
import type { Alert } from '../../api/alerts.ts';
import type { Organization } from '../../api/organizations.ts';
import { formatMoment } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { alertLook, alertStanding, alertTitle, openAlerts } from './alerts/alert-text.ts';
import { useAcknowledge } from './alerts/use-acknowledge.ts';

interface Props {
  organization: Organization;
  alerts: readonly Alert[];
}

/** The gravest of what nobody has acknowledged yet, on each page of the organization. */
export function AlertBanner({ organization: { org_id: orgId, quota, may }, alerts }: Props) {
  const acknowledge = useAcknowledge(orgId);
  const open = openAlerts(alerts);
  const [gravest] = open;
  if (!gravest) return <Problem error={acknowledge.error} />;
  return (
    <Notice look={alertLook(gravest)} role="status">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div>
          <p className="font-medium">{alertTitle(gravest)}.</p>
          <p>
            {alertStanding(gravest)} when this was noticed. It resets on {formatMoment(quota.resets_at)}.
          </p>
        </div>
        <div className="flex items-center gap-3">
          <Link to="/organizations/$orgId/alerts" params={{ orgId }} className="underline">
            All alerts
          </Link>
          {may.includes('alerts.acknowledge') && (
            <Button pending={acknowledge.isPending} onClick={() => acknowledge.mutate(open)}>
              Acknowledge
            </Button>
          )}
        </div>
      </div>
      <Problem error={acknowledge.error} />
    </Notice>
  );
}
