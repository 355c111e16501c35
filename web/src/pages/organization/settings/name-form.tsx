import { useMutation } from '@tanstack/react-query';
import { changeOrganization, type Organization } from '../../../api/organizations.ts';
import { queryClient } from '../../../api/query-client.ts';
import { formText } from '../../../lib/form-text.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';

interface Props {
  organization: Organization;
  mayChange: boolean;
}

export function NameForm({ organization: { org_id: orgId, name }, mayChange }: Props) {
  const rename = useMutation({
    mutationFn: (change: { name: string }) => changeOrganization(orgId, change),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['organizations'] }),
  });
  return (
    <form className="grid max-w-md gap-4" onSubmit={(event) => rename.mutate(formText(event, 'name'))}>
      <TextField
        label="Name"
        name="name"
        defaultValue={name}
        maxLength={100}
        required
        disabled={!mayChange}
        hint={mayChange ? undefined : 'Owners and admins can change it.'}
      />
      <Problem error={rename.error} />
      {mayChange && (
        <Button type="submit" className="justify-self-start" pending={rename.isPending}>
          Rename
        </Button>
      )}
    </form>
  );
}
