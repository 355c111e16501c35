import { type Invitation, invitationsQuery, invite } from '../../../api/members.ts';
import type { Role } from '../../../api/organizations.ts';
import { useSave } from '../../../api/use-save.ts';
import { rolesToGive } from '../../../lib/roles.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { SecretDialog } from '../../../ui/secret.tsx';

interface Props {
  /** The invitation to send once more, whose link ends then, or nothing. */
  again: Partial<Invitation>;
  onClose: () => void;
}

export function InviteMember({ again, onClose }: Props) {
  const organization = useOrganization();
  const { org_id: orgId } = organization;
  const send = useSave(
    ({ email, role }: { email: string; role: string }) => invite(orgId, email, role as Role),
    [invitationsQuery(orgId).queryKey],
  );
  if (send.data) {
    const { email, url } = send.data;
    return (
      <SecretDialog
        title="Invite a member"
        notice={
          <Notice look="success" role="status">
            {/* The service has no link to show when it mailed it. */}
            {url === null
              ? `An email with the link is on its way to ${email}.`
              : `Send this link to ${email} yourself.`}
          </Notice>
        }
        text={url ?? ''}
        copy="Copy link"
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title="Invite a member"
      description="The person who opens the link signs in or chooses a password, and then belongs to this organization."
      names={['email', 'role']}
      action="Invite"
      change={send}
      onClose={onClose}
    >
      <TextField label="Email" name="email" type="email" required defaultValue={again.email} />
      <SelectField
        label="Role"
        name="role"
        options={rolesToGive(organization)}
        defaultValue={again.role ?? 'member'}
      />
    </FormDialog>
  );
}
