import { useQueries } from '@tanstack/react-query';
import { keyQuery } from '../../../api/keys.ts';
import type { LoggedRequest } from '../../../api/requests.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { mostAsked, usePersonName } from '../../../lib/use-person-name.ts';

/** Returns the name of the key that sent a request, or of the person. */
export function useRequestName(requests: readonly LoggedRequest[]) {
  const { org_id: orgId } = useOrganization();
  const keyIds = [...new Set(requests.flatMap(({ key_id }) => key_id ?? []))].slice(0, mostAsked);
  const keys = useQueries({
    queries: keyIds.map((keyId) => ({ ...keyQuery(orgId, keyId), staleTime: 60_000 })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  const personName = usePersonName(requests.map(({ user_id }) => user_id));
  return ({ key_id, user_id }: LoggedRequest): string => {
    if (key_id !== null) return keys.find((key) => key.key_id === key_id)?.name ?? key_id;
    return personName(user_id) ?? 'Playground';
  };
}
