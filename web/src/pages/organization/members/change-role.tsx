import { useMutation } from '@tanstack/react-query';
import { type Member, setRole } from '../../../api/members.ts';
import { keyOf, type Role } from '../../../api/organizations.ts';
import { queryClient } from '../../../api/query-client.ts';
import { roleAbilities } from '../../../lib/roles.ts';
import { Confirm } from '../../../ui/confirm.tsx';

interface Props {
  orgId: string;
  member: Member;
  role: Role;
  isOneself: boolean;
  onClose: () => void;
}

/** Asks for confirmation, because one key press in a closed select is enough to choose another role. */
export function ChangeRole({
  orgId,
  member: { user_id, email, role: current },
  role,
  isOneself,
  onClose,
}: Props) {
  const change = useMutation({
    mutationFn: () => setRole(orgId, user_id, role),
    onSuccess: async () => {
      // If users change their own role, their rights change too.
      await queryClient.invalidateQueries({ queryKey: keyOf(orgId) });
      onClose();
    },
  });
  const consequence = isOneself
    ? `You change your own role from ${current} to ${role}. ${roleAbilities[role]} You may not be able to undo this yourself.`
    : `The role changes from ${current} to ${role}. ${roleAbilities[role]} It takes effect immediately.`;
  return (
    <Confirm
      title={isOneself ? `Change your own role to ${role}?` : `Change the role of ${email} to ${role}?`}
      description={consequence}
      action="Change role"
      open
      pending={change.isPending}
      error={change.error}
      onConfirm={change.mutate}
      onCancel={onClose}
    />
  );
}
