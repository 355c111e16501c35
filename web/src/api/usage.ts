import { queryOptions } from '@tanstack/react-query';
import type { Kind } from '../charts/kinds.ts';
import { request } from './request.ts';

/** The period that is no calendar month. */
export const lastYear = 'last-12-months';

export type Figures = Readonly<Record<Kind | 'texts' | 'tokens', number>>;

export interface UsageReport {
  readonly periods: readonly (Figures & { readonly start: string })[];
  readonly totals: Figures;
  readonly keys: readonly (Figures & {
    readonly key_id: string;
    readonly name: string;
    /** `counted` of each period. */
    readonly trend: readonly number[];
  })[];
}

/** null: too little to reckon from. */
export interface Projection {
  readonly exhausted_at: string | null;
  readonly expected: number;
  readonly explanation: string;
}

const pathOf = (orgId: string, what: string): string =>
  `/v1/organizations/${encodeURIComponent(orgId)}/${what}`;

export const usageQuery = (orgId: string, period: string) =>
  queryOptions({
    queryKey: ['organizations', orgId, 'usage', period],
    queryFn: () => request<UsageReport>('GET', pathOf(orgId, `usage?period=${period}`)),
  });

export const projectionQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['organizations', orgId, 'projection'],
    queryFn: () => request<Projection | null>('GET', pathOf(orgId, 'projection')),
  });
