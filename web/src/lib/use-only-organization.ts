import { useQuery } from '@tanstack/react-query';
import { firstOrganizationsQuery, onlyOne } from '../api/organizations.ts';

const staleTime = 60_000;

/**
 * The id of the only organization that a person can see; null if there are none or several; undefined while loading.
 */
export function useOnlyOrganization(): string | null | undefined {
  const { data, failureCount } = useQuery({ ...firstOrganizationsQuery, staleTime, select: onlyOne });
  // Pages that only need the link to the list don't wait until it can be loaded.
  return data === undefined && failureCount > 0 ? null : data;
}
