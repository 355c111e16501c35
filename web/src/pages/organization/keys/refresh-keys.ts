import { allKeysOf } from '../../../api/keys.ts';
import { queryClient } from '../../../api/query-client.ts';

export const refreshKeys = (orgId: string): Promise<void> => queryClient.invalidateQueries(allKeysOf(orgId));
