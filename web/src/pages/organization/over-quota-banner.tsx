import type { Alert } from '../../api/alerts.ts';
import type { Organization } from '../../api/organizations.ts';
import { formatCount, formatMoment, formatShare } from '../../lib/format.ts';
import { quotaShare } from '../../lib/quota.ts';
import { openAlerts } from './alerts/alert-text.ts';
import { useAcknowledge } from './alerts/use-acknowledge.ts';
import { AlertsNotice } from './alerts-notice.tsx';

interface Props {
  organization: Organization;
  alerts: readonly Alert[];
}

/** Stays on each page of an organization while its requests are refused, even after the alerts are acknowledged. */
export function OverQuotaBanner({ organization, alerts }: Props) {
  const acknowledge = useAcknowledge(organization.org_id);
  const { quota, may } = organization;
  const { used, limit, unit, resets_at } = quota;
  return (
    <AlertsNotice
      look="danger"
      organization={organization}
      open={openAlerts(alerts)}
      acknowledge={acknowledge}
    >
      <p className="font-medium">
        Over quota: {formatCount(used)} of {formatCount(limit ?? 0)} {unit} used (
        {formatShare(quotaShare(quota) ?? 0)}).
      </p>
      <p>
        Every API key gets 429 for requests that are not in the cache, until {formatMoment(resets_at)}.{' '}
        {may.includes('organization.set-tier')
          ? 'A higher tier takes effect immediately.'
          : 'Ask an administrator for a higher tier to continue sooner.'}
      </p>
    </AlertsNotice>
  );
}
