import { columnTypes, type Migration } from './migration.ts';

export const accountSecurity: Migration = {
  version: 6,
  statements: (dialect) => {
    const { id } = columnTypes[dialect];
    return [
      // The organization of a first start whose credentials have not been shown yet.
      `ALTER TABLE installation ADD COLUMN pending_org_id ${id}`,
      // Version 0.2 also showed the links of mailed invitations to the inviter, so they don't verify an address.
      `UPDATE invitations SET mailed = 0`,
      `UPDATE users SET email_verified = 0
        WHERE email_verified = 1
          AND id IN (SELECT user_id FROM credentials WHERE provider_id = 'credential')
          AND id NOT IN (SELECT user_id FROM credentials WHERE provider_id <> 'credential')`,
    ];
  },
};
