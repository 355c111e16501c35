import { allLimitsOf } from '../../../api/limits.ts';
import { keyOf } from '../../../api/organizations.ts';
import { queryClient } from '../../../api/query-client.ts';

/** Loads the limits again, and the usage reports, which list them too. */
export const refreshLimits = (orgId: string): Promise<unknown> =>
  Promise.all(
    [allLimitsOf(orgId).queryKey, keyOf(orgId, 'usage')].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );
