import { useSave } from '../../api/use-save.ts';
import { allUsers, createUser } from '../../api/users.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SecretDialog } from '../../ui/secret.tsx';

const kinds = {
  user: 'User: sees the organizations that they belong to',
  administrator: 'Administrator: everything, in every organization',
};

export function CreateUser({ onClose }: { onClose: () => void }) {
  const create = useSave(
    ({ email, name, kind }: Record<'email' | 'name' | 'kind', string>) =>
      createUser({ email, ...(name && { name }), is_admin: kind === 'administrator' }),
    [allUsers],
  );
  if (create.data) {
    return (
      <SecretDialog
        title="Create a user"
        notice={
          <Notice look="warning" role="status">
            {create.data.email} signs in with this password, which is shown only once.
          </Notice>
        }
        text={create.data.password}
        copy="Copy password"
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title="Create a user"
      names={['email', 'name', 'kind']}
      action="Create"
      change={create}
      onClose={onClose}
    >
      <TextField label="Email" name="email" type="email" required />
      <TextField label="Name" name="name" maxLength={200} hint="Leave blank to use the part before the @." />
      <SelectField label="Role" name="kind" options={kinds} />
    </FormDialog>
  );
}
