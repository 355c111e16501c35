import type { Organization, Role } from '../api/organizations.ts';

const roleNames: Readonly<Record<Role, string>> = {
  viewer: 'Viewer: looks only',
  member: 'Member: uses and creates keys',
  admin: 'Admin: manages keys, members and alerts',
  owner: 'Owner: everything',
};

type Rights = Pick<Organization, 'may'>;

/** Role → what it is called: those that who has these rights may give. Only owners make owners. */
export function rolesToGive({ may }: Rights): Readonly<Partial<Record<Role, string>>> {
  const { owner, ...others } = roleNames;
  return may.includes('owners.change') ? { ...others, owner } : others;
}

/** Whether who has these rights may change or remove somebody with this role. */
export function mayChangeRole({ may }: Rights, role: Role): boolean {
  return may.includes('members.change') && (role !== 'owner' || may.includes('owners.change'));
}
