import { useMutation } from '@tanstack/react-query';
import { invitationsQuery, invite } from '../../../api/members.ts';
import type { Organization, Role } from '../../../api/organizations.ts';
import { queryClient } from '../../../api/query-client.ts';
import { formText } from '../../../lib/form-text.ts';
import { rolesToGive } from '../../../lib/roles.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Secret } from '../../../ui/secret.tsx';

interface Props {
  organization: Organization;
  onClose: () => void;
}

export function InviteMember({ organization, onClose }: Props) {
  const { org_id: orgId } = organization;
  const send = useMutation({
    mutationFn: ({ email, role }: { email: string; role: string }) => invite(orgId, email, role as Role),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: invitationsQuery(orgId).queryKey }),
  });
  return (
    <Dialog
      title="Invite a member"
      description="The person who opens the link signs in or chooses a password, and then belongs to this organization."
      open
      onOpenChange={onClose}
    >
      {send.data ? (
        <>
          <Invited email={send.data.email} link={send.data.url} />
          <Button look="primary" className="justify-self-end" onClick={onClose}>
            Done
          </Button>
        </>
      ) : (
        <form className="grid gap-4" onSubmit={(event) => send.mutate(formText(event, 'email', 'role'))}>
          <TextField label="Email" name="email" type="email" required />
          <SelectField label="Role" name="role" options={rolesToGive(organization)} defaultValue="member" />
          <Problem error={send.error} />
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look="primary" pending={send.isPending}>
              Invite
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

/** `link` is null when the service mailed it. */
function Invited({ email, link }: { email: string; link: string | null }) {
  return (
    <div className="grid gap-4" role="status">
      <Notice look="success">
        {link === null
          ? `An email with the link is on its way to ${email}.`
          : `Send this link to ${email} yourself.`}
      </Notice>
      {link !== null && <Secret text={link} copy="Copy link" />}
    </div>
  );
}
