import { useMutation } from '@tanstack/react-query';
import { type Organization, renameOrganization } from '../../../api/organizations.ts';
import { queryClient } from '../../../api/query-client.ts';
import { TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';

interface Props {
  organization: Organization;
  onDone: () => void;
}

export function NameForm({ organization: { org_id: orgId, name: current }, onDone }: Props) {
  const rename = useMutation({
    mutationFn: ({ name }: { name: string }) => renameOrganization(orgId, name),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['organizations'] });
      onDone();
    },
  });
  return (
    <Form names={['name']} action="Rename" change={rename}>
      <TextField label="Name" name="name" defaultValue={current} maxLength={200} required autoFocus />
    </Form>
  );
}
