import { call, type SearchOf } from './client.ts';
import { keyOf } from './organizations.ts';
import { pagesOf } from './pages.ts';
import type { components } from './schema.ts';

export type AuditEntry = components['schemas']['AuditEntry'];

export type AuditFilter = Partial<
  Pick<SearchOf<'/v1/organizations/{org_id}/audit'>, 'entry_id' | 'action' | 'actor' | 'target'>
>;

/** The entries of an organization's audit log, newest first. */
export const auditQuery = (org_id: string, filter: AuditFilter) =>
  pagesOf(keyOf(org_id, 'audit', JSON.stringify(filter)), (page) =>
    call('get', '/v1/organizations/{org_id}/audit', { org_id, ...filter, ...page }),
  );
