import { inSteps } from '../lib/in-steps.ts';
import type { DeletionProgress, deletionsIn } from './stored-deletions.ts';

const organizationsPerRound = 100;

/**
 * Deletes the rows that deleted organizations have left, in small steps, until the signal aborts. The next call
 * continues.
 */
export async function deleteLeftovers(
  deletions: ReturnType<typeof deletionsIn>,
  signal: AbortSignal,
): Promise<void> {
  for (const orgId of await deletions.list(organizationsPerRound)) {
    let progress: DeletionProgress | null = null;
    await inSteps(async () => {
      progress = await deletions.step(orgId, progress);
      return progress !== null;
    }, signal);
    if (signal.aborted) return;
    await deletions.finish(orgId);
  }
}
