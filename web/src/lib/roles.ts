import type { Organization, Role } from '../api/organizations.ts';

const roleNames: Readonly<Record<Role, string>> = {
  viewer: 'Viewer: read-only',
  member: 'Member: uses and creates keys',
  admin: 'Admin: manages keys, members and alerts',
  owner: 'Owner: everything',
};

/** A sentence about each role's permissions. */
export const roleAbilities: Readonly<Record<Role, string>> = {
  viewer: 'Viewers have read-only access.',
  member: 'Members can use the API and create keys.',
  admin: 'Admins manage keys, members and alerts.',
  owner: 'Owners can do everything in the organization.',
};

type Rights = Pick<Organization, 'may'>;

/** Returns the names of the roles that a person with these rights may give. Only owners appoint owners. */
export function rolesToGive({ may }: Rights): Readonly<Partial<Record<Role, string>>> {
  const { owner, ...others } = roleNames;
  return may.includes('owners.change') ? { ...others, owner } : others;
}

/** Reports whether a person with these rights may change or remove a person with this role. */
export function mayChangeRole({ may }: Rights, role: Role): boolean {
  return may.includes('members.change') && (role !== 'owner' || may.includes('owners.change'));
}
