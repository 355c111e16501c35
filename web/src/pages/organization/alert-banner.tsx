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

/** The most severe alert that nobody has acknowledged yet, on each page of the organization. */
export function AlertBanner({ organization, alerts }: Props) {
  const acknowledge = useAcknowledge(organization.org_id);
  const open = openAlerts(alerts);
  const [worst] = open;
  if (!worst) return <Problem error={acknowledge.error} />;
  return (
    <AlertsNotice look={alertLook(worst)} organization={organization} open={open} acknowledge={acknowledge}>
      <p className="font-medium">{alertTitle(worst)}.</p>
      <p>
        {alertStanding(worst)} when the alert was raised. It resets on{' '}
        {formatMoment(organization.quota.resets_at)}.
      </p>
    </AlertsNotice>
  );
}
