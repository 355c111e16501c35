import { useQuery } from '@tanstack/react-query';
import { isStatus } from '../../api/problem.ts';
import { serviceQuery } from '../../api/service.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { NotFound } from '../not-found.tsx';
import { HealthTable } from './health-table.tsx';

/** How the service is, for its administrators. */
export default function Health() {
  const query = useQuery(serviceQuery);
  if (isStatus(query.error, 403)) return <NotFound />;
  return (
    <Page title="Health">
      <Loaded query={query} placeholder={<SkeletonRows rows={12} />}>
        {(service) => <HealthTable service={service} />}
      </Loaded>
    </Page>
  );
}
