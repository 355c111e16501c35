import type { Role } from '../api/organizations.ts';

/** What each role may do; the server decides, this only spares people buttons that would be refused. */
const rights = {
  'write keys': ['owner', 'admin', 'member'],
  'manage members': ['owner', 'admin'],
  'manage alerts': ['owner', 'admin'],
  'change settings': ['owner', 'admin'],
  delete: ['owner'],
} as const satisfies Record<string, readonly Role[]>;

export const roleNames: Readonly<Record<Role, string>> = {
  owner: 'Owner: everything',
  admin: 'Admin: everything but deleting',
  member: 'Member: uses and creates keys',
  viewer: 'Viewer: looks only',
};

export function may(role: Role, right: keyof typeof rights): boolean {
  return (rights[right] as readonly Role[]).includes(role);
}
