import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { invitationsQuery, membersQuery } from '../../../api/members.ts';
import { OrganizationPage } from '../../../frame/organization-page.tsx';
import { useListSearch } from '../../../lib/use-list-search.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { LoadMore } from '../../../ui/load-more.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { listQuery, SearchField } from '../../../ui/search-field.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { AccessRequests } from './access-requests.tsx';
import { InvitationTable } from './invitation-table.tsx';
import { InviteMember } from './invite-member.tsx';
import { MemberTable } from './member-table.tsx';

export default function Members() {
  const organization = useOrganization();
  const { org_id: orgId, may } = organization;
  const mayManage = may.includes('members.change');
  const list = useListSearch();
  const search = listQuery(list);
  const members = useInfiniteQuery({ ...membersQuery(orgId, search), placeholderData: keepPreviousData });
  const isSearched = Boolean(list.search.q || list.text);
  const [inviting, setInviting] = useState(false);
  return (
    <OrganizationPage title="Members">
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
          {(found) => (
            <div className="grid gap-4">
              {(members.hasNextPage || isSearched) && <SearchField state={list} label="Search members" />}
              <LoadMore query={members} rows={found} name="members">
                <MemberTable
                  organization={organization}
                  members={found}
                  isSearched={isSearched}
                  sort={search.sort ?? (search.q ? 'name' : 'created')}
                  onSort={list.sortBy}
                />
              </LoadMore>
            </div>
          )}
        </Loaded>
      </Card>
      {/* Not before the members, who would move them. */}
      {mayManage && !members.isPending && (
        <>
          <AccessRequests organization={organization} />
          <Invitations orgId={orgId} />
        </>
      )}
      {inviting && <InviteMember organization={organization} onClose={() => setInviting(false)} />}
    </OrganizationPage>
  );
}

function Invitations({ orgId }: { orgId: string }) {
  const query = useInfiniteQuery(invitationsQuery(orgId));
  return (
    <Card title="Open invitations">
      <Loaded query={query} placeholder={<SkeletonRows rows={1} />}>
        {(found) => (
          <LoadMore query={query} rows={found} name="invitations">
            <InvitationTable orgId={orgId} invitations={found} />
          </LoadMore>
        )}
      </Loaded>
    </Card>
  );
}
