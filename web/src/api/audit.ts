import { queryOptions } from '@tanstack/react-query';
import { call, type SearchOf } from './client.ts';
import { keyOf } from './organizations.ts';
import { pagesOf } from './pages.ts';
import type { components } from './schema.ts';

export type AuditEntry = components['schemas']['AuditEntry'];

export type AuditFilter = Partial<SearchOf<'/v1/audit'>>;

/** The entries of an organization's audit log or, with the empty id, of all, newest first. */
export const auditQuery = (org_id: string, filter: AuditFilter) =>
  pagesOf(keyOf(org_id, 'audit', JSON.stringify(filter)), (page) =>
    org_id === ''
      ? call('get', '/v1/audit', { ...filter, ...page })
      : call('get', '/v1/organizations/{org_id}/audit', { org_id, ...filter, ...page }),
  );

/** People and keys whose names contain the text. With the empty id of an organization: of the installation. */
export const actorsQuery = (org_id: string, q: string) =>
  queryOptions({
    queryKey: keyOf(org_id, 'actors', q),
    queryFn: async () => {
      const [people, keys] = await Promise.all(
        org_id === ''
          ? [call('get', '/v1/users', { q }), call('get', '/v1/keys', { q })]
          : [
              call('get', '/v1/organizations/{org_id}/members', { org_id, q }),
              call('get', '/v1/organizations/{org_id}/keys', { org_id, q }),
            ],
      );
      return [
        ...people.data.map(({ user_id: words, email: label, name: aside }) => ({ words, label, aside })),
        ...keys.data.map(({ key_id: words, name: label, hint: aside }) => ({ words, label, aside })),
      ];
    },
  });
