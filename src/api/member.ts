import { type Static, Type } from 'typebox';
import { isoTime } from '../lib/clock.ts';
import { roles } from '../organizations/access.ts';
import type { Member as MemberRecord } from '../organizations/members.ts';
import { Id, PageResponse, response, Timestamp } from './common.ts';

export const RoleName = Type.Enum([...roles], {
  type: 'string',
  description:
    'The roles are viewer, member, admin and owner. Each includes the permissions of those before it.',
});

const Member = Type.Object(
  { user_id: Id(), email: Type.String(), name: Type.String(), role: RoleName, joined_at: Timestamp },
  { title: 'Member' },
);
type Member = Static<typeof Member>;

const example: Member = {
  user_id: '01a19671-bdd8-7439-9c26-0d844f0260bb',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'owner',
  joined_at: '2026-11-01T09:30:00.000Z',
};

export function memberView({ userId, email, name, role, createdAt }: MemberRecord): Member {
  return { user_id: userId, email, name, role, joined_at: isoTime(createdAt) };
}

export const MemberResponse = Type.Object(
  Member.properties,
  response('Member', 'The updated member.', example),
);

export const MemberListResponse = PageResponse('MemberList', Member, 'A page of the members.', example);

export const RoleRequest = Type.Object(
  { role: RoleName },
  { title: 'RoleRequest', examples: [{ role: 'admin' }] },
);
