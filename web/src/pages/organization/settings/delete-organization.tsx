import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  deleteOrganization,
  keyOf,
  type Organization,
  outdateOrganizations,
} from '../../../api/organizations.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';

export function DeleteOrganization({
  organization: { org_id: orgId, name },
}: {
  organization: Organization;
}) {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => deleteOrganization(orgId),
    onSuccess: async () => {
      // First, so that the page of the list loads it again.
      await outdateOrganizations();
      await navigate({ to: '/organizations' });
      queryClient.removeQueries({ queryKey: keyOf(orgId) });
    },
  });
  return (
    <div className="p-4">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="flex-1 basis-80">All its keys stop working, and its usage is no longer visible.</p>
        <Button look="danger" onClick={() => setAsking(true)}>
          Delete the organization
        </Button>
      </div>
      <Confirm
        title={`Delete “${name}”?`}
        description="Every key of this organization is refused from the next request on. This can’t be undone."
        typed={name}
        action="Delete"
        open={asking}
        pending={remove.isPending}
        error={remove.error}
        onConfirm={remove.mutate}
        onCancel={() => setAsking(false)}
      />
    </div>
  );
}
