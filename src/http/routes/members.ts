import { Type } from 'typebox';
import { requireMay } from '../../accounts/access.ts';
import type { Role } from '../../accounts/roles.ts';
import { ServiceError } from '../../errors.ts';
import type { Services } from '../../service/services.ts';
import { memberView } from '../../views.ts';
import type { App } from '../app-types.ts';
import { standingOn } from '../plugins/access.ts';
import { userOn } from '../plugins/identify.ts';
import { Id, NoContent, OrgParams } from '../schemas/common.ts';
import { MemberListResponse, MemberResponse, RoleRequest } from '../schemas/members.ts';

const tags = ['Members'];
const MemberParams = Type.Object({ ...OrgParams.properties, user_id: Id() });

export function memberRoutes(app: App, { members }: Services): void {
  const found = async (orgId: string, userId: string) => {
    const member = (await members.list(orgId)).find((one) => one.userId === userId);
    if (!member) throw new ServiceError('not_found', 'No such member');
    return member;
  };

  app.get(
    '/v1/organizations/:org_id/members',
    {
      config: { access: 'members.read' },
      schema: {
        operationId: 'listMembers',
        summary: 'The members of an organization',
        tags,
        params: OrgParams,
        response: { 200: MemberListResponse },
      },
    },
    async (request) => ({
      object: 'list' as const,
      data: (await members.list(request.params.org_id)).map(memberView),
    }),
  );

  app.patch(
    '/v1/organizations/:org_id/members/:user_id',
    {
      config: { access: 'members.change' },
      schema: {
        operationId: 'setMemberRole',
        summary: 'Change a member’s role',
        description: 'Only owners make owners, and change them. The last owner stays one.',
        tags,
        params: MemberParams,
        body: RoleRequest,
        response: { 200: MemberResponse },
      },
    },
    async (request) => {
      const { org_id, user_id } = request.params;
      const role = request.body.role as Role;
      const member = await found(org_id, user_id);
      if (role === 'owner' || member.role === 'owner') requireMay(standingOn(request), 'owners.change');
      await members.setRole(org_id, user_id, role);
      return memberView({ ...member, role });
    },
  );

  app.delete(
    '/v1/organizations/:org_id/members/:user_id',
    {
      config: { access: 'members.read' },
      schema: {
        operationId: 'removeMember',
        summary: 'Remove a member, or leave',
        description:
          'Everybody may leave; to remove others takes an admin, and for owners an owner. The last owner stays. The API keys that ' +
          'a member has made stay valid: they are the organization’s.',
        tags,
        params: MemberParams,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      const { org_id, user_id } = request.params;
      const isOneself = userOn(request).userId === user_id;
      if (!isOneself) requireMay(standingOn(request), 'members.change');
      const member = await found(org_id, user_id);
      if (!isOneself && member.role === 'owner') requireMay(standingOn(request), 'owners.change');
      await members.remove(org_id, user_id);
      return reply.code(204).send(null);
    },
  );
}
