import type { Role } from '../api/organizations.ts';

export const roleNames: Readonly<Record<Role, string>> = {
  viewer: 'Viewer: looks only',
  member: 'Member: uses and creates keys',
  admin: 'Admin: manages keys, members and alerts',
  owner: 'Owner: everything',
};
