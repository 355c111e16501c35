import { useMutation } from '@tanstack/react-query';
import { queryClient } from '../../api/query-client.ts';
import { allUsers, createUser } from '../../api/users.ts';
import { formText } from '../../lib/form-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Secret } from '../../ui/secret.tsx';

const kinds = {
  user: 'User: sees the organizations that they belong to',
  administrator: 'Administrator: everything, in every organization',
};

export function CreateUser({ onClose }: { onClose: () => void }) {
  const create = useMutation({
    mutationFn: ({ email, name, kind }: { email: string; name: string; kind: string }) =>
      createUser(email, name, kind === 'administrator'),
    onSuccess: () => queryClient.invalidateQueries(allUsers),
  });
  return (
    <Dialog title="Create a user" open onOpenChange={onClose}>
      {create.data ? (
        <>
          <Notice look="warning" role="status">
            {create.data.email} signs in with this password, which is shown only once.
          </Notice>
          <Secret text={create.data.password} copy="Copy password" />
          <Button look="primary" className="justify-self-end" onClick={onClose}>
            Done
          </Button>
        </>
      ) : (
        <form
          className="grid gap-4"
          onSubmit={(event) => create.mutate(formText(event, 'email', 'name', 'kind'))}
        >
          <TextField label="Email" name="email" type="email" required />
          <TextField
            label="Name"
            name="name"
            maxLength={200}
            hint="Leave blank to use the part before the @."
          />
          <SelectField label="Role" name="kind" options={kinds} />
          <Problem error={create.error} />
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look="primary" pending={create.isPending}>
              Create
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
