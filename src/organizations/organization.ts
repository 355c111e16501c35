import type { OrganizationForTokens } from '../keys/key.ts';
import { PagedList } from '../lib/paged-list.ts';
import type { QuotaLimit } from '../quota/tiers.ts';

/** `custom` is the limit agreed with the organization, if its tier allows one; null means the tier's own limit. */
export interface Organization extends OrganizationForTokens {
  readonly name: string;
  readonly custom: QuotaLimit | null;
  /** The operator's own name of it, unique in the installation. */
  readonly externalId: string | null;
  /** The operator's sentence, which requests with its keys get. Null: its keys work. */
  readonly suspended: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
}

/** What can be changed of an organization at any time. Undefined: as it is. */
export type OrganizationChange = {
  readonly [Field in 'name' | 'externalId' | 'suspended']?: Organization[Field] | undefined;
};

export const organizationList = new PagedList('organizations', {
  orders: { created: 'number', name: 'text' },
  defaultSort: 'created',
  searched: ['name'],
  maxLimit: 1_000,
});
