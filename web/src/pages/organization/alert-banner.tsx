import type { Alert } from '../../api/alerts.ts';
import type { Organization } from '../../api/organizations.ts';
import { formatMoment } from '../../lib/format.ts';
import { Problem } from '../../ui/problem.tsx';
import { alertLook, alertStanding, alertTitle, openAlerts } from './alerts/alert-text.ts';
import { useAcknowledge } from './alerts/use-acknowledge.ts';
import { AlertsNotice } from './alerts-notice.tsx';

interface Props {
  organization: Organization;
  alerts: readonly Alert[];
}

/** The most serious alert that nobody has acknowledged yet, on each page of the organization. */
export function AlertBanner({ organization, alerts }: Props) {
  const acknowledge = useAcknowledge(organization.org_id);
  const open = openAlerts(alerts);
  const [gravest] = open;
  if (!gravest) return <Problem error={acknowledge.error} />;
  return (
    <AlertsNotice look={alertLook(gravest)} organization={organization} open={open} acknowledge={acknowledge}>
      <p className="font-medium">{alertTitle(gravest)}.</p>
      <p>
        {alertStanding(gravest)} when this was noticed. It resets on{' '}
        {formatMoment(organization.quota.resets_at)}.
      </p>
    </AlertsNotice>
  );
}
