import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleAlert, TriangleAlert } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { openAlertsQuery } from '../api/alerts.ts';
import { formatMoment } from '../lib/format.ts';
import { isUsedUp } from '../lib/quota.ts';
import { useNow } from '../lib/use-now.ts';
import { useOrganization } from '../lib/use-organization.ts';
import { alertLook, alertTitle, openAlerts } from '../pages/organization/alerts/alert-text.ts';
import { Page } from '../ui/page.tsx';
import { useLive } from './live.ts';

/** A page of an organization that stays up to date, with a strip about its quota or open alerts. */
export function OrganizationPage(props: Omit<ComponentProps<typeof Page>, 'of' | 'strip'>) {
  const { org_id: orgId, name } = useOrganization();
  useLive(orgId);
  return <Page {...props} of={name} strip={<StandingStrip />} />;
}

const looks = {
  danger: { Icon: CircleAlert, look: 'bg-danger-soft text-danger' },
  warning: { Icon: TriangleAlert, look: 'bg-warning-soft text-warning' },
} as const;

/** One line on each page of an organization while its requests are refused, or an alert is open. */
function StandingStrip() {
  const { org_id: orgId, quota, may, suspended } = useOrganization();
  const { data: alerts } = useQuery(openAlertsQuery(orgId));
  const nowMs = useNow(10_000);
  if (suspended !== null) {
    const action = may.includes('organization.suspend') ? 'Resume it' : 'See the settings';
    return (
      <Strip look="danger" to="settings" action={action}>
        Suspended: requests with keys of this organization get 403. {suspended}
      </Strip>
    );
  }
  if (isUsedUp(quota, nowMs)) {
    const action = may.includes('organization.set-tier') ? 'Raise the limit' : 'See the plans';
    return (
      <Strip look="danger" to="plan" action={action}>
        Over quota: requests that are not in the cache get 429 until {formatMoment(quota.resets_at)}.
      </Strip>
    );
  }
  const [worst] = openAlerts(alerts ?? []);
  const look = worst ? alertLook(worst) : 'plain';
  if (!worst || look === 'plain') return null;
  return (
    <Strip look={look} to="alerts" action="See the alert">
      {alertTitle(worst)}.
    </Strip>
  );
}

interface StripProps {
  look: keyof typeof looks;
  to: 'plan' | 'alerts' | 'settings';
  action: string;
  children: ReactNode;
}

function Strip({ look, to, action, children }: StripProps) {
  const { org_id: orgId } = useOrganization();
  const { Icon, look: colours } = looks[look];
  return (
    <div role="status" className={colours}>
      <p className="mx-auto flex max-w-360 gap-2 px-4 py-2 lg:px-6">
        <Icon aria-hidden className="my-0.5 size-4 shrink-0" />
        <span>
          <span className="font-medium">{children}</span>{' '}
          <Link to={`/organizations/$orgId/${to}`} params={{ orgId }} className="underline">
            {action}
          </Link>
        </span>
      </p>
    </div>
  );
}
