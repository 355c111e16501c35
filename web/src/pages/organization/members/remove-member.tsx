import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { allMembersOf, type Member, removeMember } from '../../../api/members.ts';
import { type Organization, outdateOrganizations } from '../../../api/organizations.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Confirm } from '../../../ui/confirm.tsx';

interface Props {
  organization: Organization;
  member: Member;
  isOneself: boolean;
  onClose: () => void;
}

/** Removes a member, or leaves. */
export function RemoveMember({
  organization: { org_id: orgId, name },
  member: { user_id: userId, email },
  isOneself,
  onClose,
}: Props) {
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => removeMember(orgId, userId),
    onSuccess: async () => {
      if (isOneself) {
        // First, because the page of the list checks how many there are.
        await outdateOrganizations();
        await navigate({ to: '/organizations' });
      } else {
        await queryClient.invalidateQueries(allMembersOf(orgId));
        onClose();
      }
    },
  });
  return (
    <Confirm
      title={isOneself ? `Leave “${name}”?` : `Remove ${email}?`}
      description={`${isOneself ? 'You' : 'They'}’ll lose access immediately. API keys that ${isOneself ? 'you' : 'they'} created keep working until someone revokes them.`}
      action={isOneself ? 'Leave' : 'Remove'}
      open
      pending={remove.isPending}
      error={remove.error}
      onConfirm={remove.mutate}
      onCancel={onClose}
    />
  );
}
