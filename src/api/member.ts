import { type Static, Type } from 'typebox';
import { roles } from '../organizations/access.ts';
import type { Member as MemberRecord } from '../organizations/members.ts';
import type { ListedLimit } from '../quota/limit.ts';
import { Choice, Id, Nullable, PageResponse, response, Timestamp } from './common.ts';
import { FullestLimit, fullestView } from './limit.ts';
import { viewOf } from './view.ts';

export const RoleName = Choice(
  roles,
  'The roles are viewer, member, admin and owner. Each includes the permissions of those before it.',
);

const Member = Type.Object(
  {
    user_id: Id(),
    email: Type.String(),
    name: Type.String(),
    role: RoleName,
    joined_at: Timestamp,
    last_seen_at: Nullable(Timestamp),
    from_provider: Type.Boolean({
      description:
        'Whether a claim of the sign-in provider has made the membership. A change of the role makes it false.',
    }),
  },
  { title: 'Member' },
);
type Member = Static<typeof Member>;

const view = viewOf(Member);

export const memberView = (member: MemberRecord): Member => view({ ...member, joinedAt: member.createdAt });

const ListedMember = Type.Object(
  { ...Member.properties, fullest_limit: FullestLimit },
  { title: 'ListedMember' },
);

export const listedMemberView = (member: MemberRecord, fullest: ListedLimit | undefined) => ({
  ...memberView(member),
  fullest_limit: fullestView(fullest),
});

export const MemberResponse = Type.Object(Member.properties, response('Member', 'The updated member.'));

export const MemberListResponse = PageResponse('MemberList', ListedMember, 'A page of the members.');

export const RoleRequest = Type.Object(
  { role: RoleName },
  { title: 'RoleRequest', examples: [{ role: 'admin' }] },
);

export const RemoveMemberQuery = Type.Object({
  revoke_keys: Type.Optional(
    Choice(['true', 'false'], '`true`: also revoke the member’s API keys in the organization.', 'false'),
  ),
  successor_id: Type.Optional(Id('Another member, who then has the keys of the removed one.')),
});
