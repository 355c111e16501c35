import type { OrganizationForTokens } from '../keys/key.ts';
import { PagedList } from '../lib/paged-list.ts';
import type { QuotaLimit } from '../quota/tiers.ts';

/** `custom` is the limit agreed with the organization, if its tier allows one; null means the tier's own limit. */
export interface Organization extends OrganizationForTokens {
  readonly name: string;
  readonly custom: QuotaLimit | null;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
}

export const organizationList = new PagedList('organizations', {
  orders: { created: 'number', name: 'text' },
  defaultSort: 'created',
  searched: ['name'],
  maxLimit: 1_000,
});
