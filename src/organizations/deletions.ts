import { inSteps } from '../lib/in-steps.ts';
import type { deletionsIn } from '../store/deletions.ts';

/** The progress of deleting an organization's rows. */
export interface DeletionProgress {
  /** Index of the table among those that may have rows. */
  readonly table: number;
  /** The last row that was deleted from the table. */
  readonly day: number;
  readonly keyId: string;
}

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
