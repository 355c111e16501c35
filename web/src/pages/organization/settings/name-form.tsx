import { useMutation } from '@tanstack/react-query';
import { type Organization, renameOrganization } from '../../../api/organizations.ts';
import { queryClient } from '../../../api/query-client.ts';
import { formText } from '../../../lib/form-text.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Problem } from '../../../ui/problem.tsx';

interface Props {
  organization: Organization;
  mayChange: boolean;
}

export function NameForm({ organization: { org_id: orgId, name: current }, mayChange }: Props) {
  const rename = useMutation({
    mutationFn: ({ name }: { name: string }) => renameOrganization(orgId, name),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['organizations'] }),
  });
  return (
    <form className="grid max-w-md gap-4" onSubmit={(event) => rename.mutate(formText(event, 'name'))}>
      <TextField
        label="Name"
        name="name"
        defaultValue={current}
        maxLength={200}
        required
        disabled={!mayChange}
        hint={mayChange ? undefined : 'Owners and admins can change it.'}
      />
      <Problem error={rename.error} />
      {rename.isSuccess && (
        <Notice look="success" role="status">
          The organization has been renamed.
        </Notice>
      )}
      {mayChange && (
        <Button type="submit" className="justify-self-start" pending={rename.isPending}>
          Rename
        </Button>
      )}
    </form>
  );
}
