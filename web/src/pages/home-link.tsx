import { Link } from '@tanstack/react-router';
import { useOnlyOrganization } from '../lib/use-only-organization.ts';
import { Mark } from '../ui/mark.tsx';

const look = 'flex rounded';

/**
 * Leads to the organizations, or straight to the only one. Through the list, each click would add a step to go back.
 */
export function HomeLink() {
  const orgId = useOnlyOrganization();
  return orgId ? (
    <Link to="/organizations/$orgId/usage" params={{ orgId }} className={look}>
      <Mark />
    </Link>
  ) : (
    <Link to="/organizations" className={look}>
      <Mark />
    </Link>
  );
}
