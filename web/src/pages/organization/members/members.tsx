import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Invitation, invitationsQuery, membersQuery } from '../../../api/members.ts';
import { OrganizationPage } from '../../../frame/organization-page.tsx';
import { useListSearch } from '../../../lib/use-list-search.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Button } from '../../../ui/button.tsx';
import { LoadMore } from '../../../ui/load-more.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { InviteMember } from './invite-member.tsx';
import { MemberTable } from './member-table.tsx';

export default function Members() {
  const { org_id: orgId, may } = useOrganization();
  const mayManage = may.includes('members.change');
  const list = useListSearch();
  const found = membersQuery(orgId, list.search);
  const members = useInfiniteQuery({ ...found, placeholderData: keepPreviousData });
  const invited = useInfiniteQuery({ ...invitationsQuery(orgId), enabled: mayManage });
  const [inviting, setInviting] = useState<Partial<Invitation> | null>(null);
  return (
    <OrganizationPage
      title="Members"
      actions={
        mayManage && (
          <Button look="primary" onClick={() => setInviting({})}>
            Invite a member
          </Button>
        )
      }
    >
      <div className="grid grid-cols-1 gap-3">
        {(members.hasNextPage || list.isSearched) && <SearchField {...list.field} label="Search members" />}
        <LoadMore query={members} name="members" isSearchable>
          {(found) => (
            <MemberTable
              members={found}
              // Below all members, who are searched by the service.
              invitations={members.hasNextPage || list.isSearched ? [] : (invited.data?.rows ?? [])}
              isSearched={list.isSearched}
              sort={list.sort}
              onSort={list.sortBy}
              onResend={setInviting}
            />
          )}
        </LoadMore>
      </div>
      {!mayManage && <p className="text-muted">Owners and admins invite members.</p>}
      {inviting && <InviteMember again={inviting} onClose={() => setInviting(null)} />}
    </OrganizationPage>
  );
}
