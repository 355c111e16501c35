import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { acceptInvitation } from '../../api/auth.ts';
import { queryClient } from '../../api/query-client.ts';

/** Accepts an invitation, and opens the organization. */
export function useAccept() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: acceptInvitation,
    onSuccess: async ({ org_id }) => {
      queryClient.clear();
      await navigate({ to: '/organizations/$orgId/usage', params: { orgId: org_id } });
    },
  });
}
