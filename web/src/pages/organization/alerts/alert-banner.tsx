import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { alertsQuery } from '../../../api/alerts.ts';
import { Notice } from '../../../ui/notice.tsx';

/** The newest alert of the window that lasts, on every page of the organization. */
export function AlertBanner({ orgId }: { orgId: string }) {
  const { data: alerts } = useQuery(alertsQuery(orgId));
  const newest = alerts?.find(({ current }) => current);
  if (!newest) return null;
  return (
    <Notice look={newest.threshold === 100 ? 'danger' : 'warning'} role="status">
      <p>
        {newest.message}{' '}
        <Link to="/organizations/$orgId/alerts" params={{ orgId }} className="underline">
          Alerts
        </Link>
      </p>
    </Notice>
  );
}
