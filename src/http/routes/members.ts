import { Type } from 'typebox';
import { Choice, Id, NoContent, OrgParams, PageQuery, pageView } from '../../api/common.ts';
import {
  listedMemberView,
  MemberListResponse,
  MemberResponse,
  memberView,
  RemoveMemberQuery,
  RoleRequest,
} from '../../api/member.ts';
import { requireMay } from '../../organizations/access.ts';
import { memberList } from '../../organizations/members.ts';
import { userScope } from '../../quota/limit.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { senderOf } from '../audience.ts';
import { described } from '../described.ts';

const MemberParams = Type.Object({ ...OrgParams.properties, user_id: Id() });

export function memberRoutes(app: App, { limits, members }: Services): void {
  app.get(
    '/v1/organizations/:org_id/members',
    described('members.read', 'listMembers', 'List the members of an organization', {
      querystring: PageQuery(memberList, {
        filter: Type.Optional(
          Choice(
            ['only_here'],
            'Lists only those who belong to no other organization and administer nothing. For administrators and ' +
              'keys of the installation.',
          ),
        ),
      }),
      params: OrgParams,
      response: { 200: MemberListResponse },
    }),
    async ({ params, query: { filter, ...query }, relation }) => {
      const onlyHere = filter === 'only_here';
      if (onlyHere) requireMay(relation, 'users.read');
      const page = await members.list(params.org_id, query, onlyHere);
      const fullest = await limits.fullest(
        params.org_id,
        page.data.map(({ userId }) => userScope(userId)),
      );
      return pageView(page, (member) => listedMemberView(member, fullest.get(userScope(member.userId))));
    },
  );

  app.patch(
    '/v1/organizations/:org_id/members/:user_id',
    described('members.change', 'setMemberRole', 'Change a member’s role', {
      description: 'Only owners can give or take the role owner. The last owner keeps the role.',
      params: MemberParams,
      body: RoleRequest,
      response: { 200: MemberResponse },
    }),
    async (request) => {
      const { org_id, user_id } = request.params;
      const { role } = request.body;
      const member = await members.get(org_id, user_id);
      if (role === 'owner' || member.role === 'owner') requireMay(request.relation, 'owners.change');
      await members.setRole(member, role);
      return memberView({ ...member, role });
    },
  );

  app.delete(
    '/v1/organizations/:org_id/members/:user_id',
    described('members.read', 'removeMember', 'Remove a member, or leave an organization', {
      description:
        'Members can leave. Admins can remove other members, and owners can remove owners. The last owner ' +
        'can’t be removed. The ' +
        'member’s API keys belong to the organization and stay valid, unless `revoke_keys` is `true` or ' +
        '`successor_id` names who has them then. Members who leave can revoke their own keys; anything else ' +
        'about keys takes the right to change any key.',
      params: MemberParams,
      querystring: RemoveMemberQuery,
      response: { 204: NoContent },
    }),
    async (request) => {
      const { org_id, user_id } = request.params;
      const isOneself = senderOf(request).senderId === user_id;
      if (!isOneself) requireMay(request.relation, 'members.change');
      const member = await members.get(org_id, user_id);
      if (!isOneself && member.role === 'owner') requireMay(request.relation, 'owners.change');
      const { revoke_keys, successor_id: successorId } = request.query;
      const revokesKeys = revoke_keys === 'true';
      if (successorId !== undefined || (revokesKeys && !isOneself))
        requireMay(request.relation, 'keys.change-any');
      else if (revokesKeys) requireMay(request.relation, 'keys.replace-own');
      await members.remove(member, { revokesKeys, successorId });
    },
  );
}
