import type { DeletionProgress } from '../../src/organizations/deletions.ts';
import type { Stores } from '../../src/store/stores.ts';

/**
 * Deletes everything that deleted organizations have left, as the service does after a deletion. Returns the
 * number of steps.
 */
export async function finishDeletions({ deletions }: Pick<Stores, 'deletions'>): Promise<number> {
  let steps = 0;
  for (const orgId of await deletions.list(1_000_000)) {
    let progress: DeletionProgress | null = null;
    do {
      progress = await deletions.step(orgId, progress);
      steps += 1;
    } while (progress);
    await deletions.finish(orgId);
  }
  return steps;
}
