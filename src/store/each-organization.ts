import { performance } from 'node:perf_hooks';
import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

const organizationsPerStep = 100;
/** Roughly: on SQLite, a quota decision may have to wait for it. */
const stepMs = 10;

/**
 * Calls `work` for the organizations after `afterOrgId`, for some milliseconds. Returns the last that is done, after which the next step begins; null when
 * all are done. `work` returns whether it has to be called for the same organization again.
 */
export async function someOrganizations(
  db: Kysely<Database>,
  afterOrgId: string,
  work: (orgId: string) => Promise<boolean>,
): Promise<string | null> {
  const found = await db
    .selectFrom('organizations')
    .select('orgId')
    .where('orgId', '>', afterOrgId)
    .orderBy('orgId')
    .limit(organizationsPerStep)
    .execute();
  const beganMs = performance.now();
  let last = afterOrgId;
  for (const { orgId } of found) {
    if (await work(orgId)) return last;
    last = orgId;
    if (performance.now() - beganMs > stepMs) return last;
  }
  return found.length < organizationsPerStep ? null : last;
}
