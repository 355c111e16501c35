import { addedLatency } from './postgres-added.ts';
import { cachedAnswers } from './postgres-cached.ts';
import { busyOrganization, manyOrganizations } from './postgres-decisions.ts';

/** The rows of replicas on Postgres, to be measured one after the other. */
export const postgresRows = [busyOrganization, manyOrganizations, cachedAnswers, addedLatency];

if (import.meta.main) {
  for (const row of postgresRows) {
    const { name, bound, ratio, details } = await row();
    console.log(`${ratio.toFixed(2)}  ${JSON.stringify(bound)}  ${name}: ${details}`);
  }
}
