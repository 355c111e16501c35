import { useNavigate } from '@tanstack/react-router';
import { createOrganization } from '../../api/organizations.ts';
import { useSave } from '../../api/use-save.ts';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form.tsx';

export default function NewOrganization({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const create = useSave(createOrganization, [[]], async ({ org_id }) => {
    await navigate({ to: '/organizations/$orgId/usage', params: { orgId: org_id } });
    onClose();
  });
  return (
    <FormDialog
      title="New organization"
      description="It has its own members, API keys and quota."
      names={['name']}
      action="Create"
      change={create}
      onClose={onClose}
    >
      <TextField label="Name" name="name" maxLength={200} required autoFocus />
    </FormDialog>
  );
}
