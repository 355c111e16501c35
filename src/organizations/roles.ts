/** The roles of a member in an organization. Each role includes the permissions of those before it. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];
