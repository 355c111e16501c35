import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { invitationsQuery, membersQuery } from '../../../api/members.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { InvitationTable } from './invitation-table.tsx';
import { InviteMember } from './invite-member.tsx';
import { MemberTable } from './member-table.tsx';

export default function Members() {
  const organization = useOrganization('Members');
  const { org_id: orgId, may } = organization;
  const mayManage = may.includes('members.change');
  const members = useQuery(membersQuery(orgId));
  const [inviting, setInviting] = useState(false);
  return (
    <>
      <Card
        title="Members"
        actions={
          mayManage && (
            <Button look="primary" onClick={() => setInviting(true)}>
              Invite a member
            </Button>
          )
        }
      >
        <Loaded query={members} placeholder={<SkeletonRows />}>
          {(found) => <MemberTable organization={organization} members={found} />}
        </Loaded>
      </Card>
      {mayManage && <Invitations orgId={orgId} />}
      {inviting && <InviteMember organization={organization} onClose={() => setInviting(false)} />}
    </>
  );
}

function Invitations({ orgId }: { orgId: string }) {
  const query = useQuery(invitationsQuery(orgId));
  return (
    <Card title="Open invitations">
      <Loaded query={query} placeholder={<SkeletonRows rows={1} />}>
        {(found) => <InvitationTable orgId={orgId} invitations={found} />}
      </Loaded>
    </Card>
  );
}
