import { Link } from '@tanstack/react-router';
import type { Alert } from '../../api/alerts.ts';
import type { Organization } from '../../api/organizations.ts';
import { formatCount, formatMoment, formatShare } from '../../lib/format.ts';
import { quotaShare } from '../../lib/quota.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { openAlerts } from './alerts/alert-text.ts';
import { useAcknowledge } from './alerts/use-acknowledge.ts';

interface Props {
  organization: Organization;
  alerts: readonly Alert[];
}

/** Stays on each page of an organization while its requests are refused, also when the alerts are acknowledged. */
export function OverQuotaBanner({ organization: { org_id: orgId, quota, may }, alerts }: Props) {
  const acknowledge = useAcknowledge(orgId);
  const open = openAlerts(alerts);
  const { used, limit, resets_at } = quota;
  return (
    <Notice look="danger" role="status">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div>
          <p className="font-medium">
            Over quota: {formatCount(used)} of {formatCount(limit ?? 0)} requests used (
            {formatShare(quotaShare(quota) ?? 0)}).
          </p>
          <p>
            Every API key gets 429 for requests that are not in the cache, until {formatMoment(resets_at)}.{' '}
            {may.includes('organization.set-tier')
              ? 'A larger plan takes effect immediately.'
              : 'Ask an administrator for a larger plan to continue sooner.'}
          </p>
        </div>
        <div className="flex items-center gap-3">
          <Link to="/organizations/$orgId/alerts" params={{ orgId }} className="underline">
            All alerts
          </Link>
          {open.length > 0 && may.includes('alerts.acknowledge') && (
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
