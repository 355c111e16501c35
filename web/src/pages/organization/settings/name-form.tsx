import { useMutation } from '@tanstack/react-query';
import { type Organization, renameOrganization } from '../../../api/organizations.ts';
import { queryClient } from '../../../api/query-client.ts';
import { formText } from '../../../lib/form-text.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';

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
    <form className="grid max-w-md gap-4" onSubmit={(event) => rename.mutate(formText(event, 'name'))}>
      <TextField label="Name" name="name" defaultValue={current} maxLength={200} required autoFocus />
      <Problem error={rename.error} />
      <Button type="submit" look="primary" className="justify-self-start" pending={rename.isPending}>
        Rename
      </Button>
    </form>
  );
}
