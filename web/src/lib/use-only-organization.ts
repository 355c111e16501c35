import { useQuery } from '@tanstack/react-query';
import { onlyOne, organizationsQuery } from '../api/organizations.ts';

const staleTime = 60_000;

/** The id of the one organization that a person can see; null: none, or several; undefined: not known yet. */
export function useOnlyOrganization(): string | null | undefined {
  const { data, failureCount } = useQuery({ ...organizationsQuery, staleTime, select: onlyOne });
  // Pages that need only the way to the list don't wait until it can be loaded.
  return data === undefined && failureCount > 0 ? null : data;
}
