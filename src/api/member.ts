import { type Static, Type } from 'typebox';
import { roles } from '../organizations/access.ts';
import type { Member as MemberRecord } from '../organizations/members.ts';
import { Choice, Id, Nullable, PageResponse, response, Timestamp } from './common.ts';
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
  },
  { title: 'Member' },
);
type Member = Static<typeof Member>;

const example: Member = {
  user_id: '01a19671-bdd8-7439-9c26-0d844f0260bb',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'owner',
  joined_at: '2026-11-01T09:30:00.000Z',
  last_seen_at: '2026-11-20T16:05:00.000Z',
};

const view = viewOf(Member);

export const memberView = (member: MemberRecord): Member => view({ ...member, joinedAt: member.createdAt });

export const MemberResponse = Type.Object(
  Member.properties,
  response('Member', 'The updated member.', example),
);

export const MemberListResponse = PageResponse('MemberList', Member, 'A page of the members.', example);

export const RoleRequest = Type.Object(
  { role: RoleName },
  { title: 'RoleRequest', examples: [{ role: 'admin' }] },
);
