import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { createOrganization } from '../../api/organizations.ts';
import { queryClient } from '../../api/query-client.ts';
import { formText } from '../../lib/form-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';

export function NewOrganization({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: ({ name }: { name: string }) => createOrganization(name),
    onSuccess: async ({ org_id }) => {
      await queryClient.invalidateQueries();
      await navigate({ to: '/organizations/$orgId/usage', params: { orgId: org_id } });
      onClose();
    },
  });
  return (
    <Dialog
      title="New organization"
      description="It has its own members, API keys and quota."
      open
      onOpenChange={onClose}
    >
      <form className="grid gap-4" onSubmit={(event) => create.mutate(formText(event, 'name'))}>
        <TextField label="Name" name="name" maxLength={200} required autoFocus />
        <Problem error={create.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" pending={create.isPending}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
