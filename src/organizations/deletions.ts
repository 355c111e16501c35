import { inSteps } from '../lib/in-steps.ts';

/** The progress of deleting an organization's rows. */
export interface DeletionProgress {
  /** Index of the table among those that may have rows. */
  readonly table: number;
  /** The last row that was deleted from the table. */
  readonly day: number;
  readonly keyId: string;
}

/** Deletes the usage rows that deleted organizations have left. Nothing reads them any more. */
export interface DeletionStore {
  /** Returns the organizations that may have left rows, in order of deletion. */
  list(limit: number): Promise<string[]>;
  /** Deletes the next rows, within milliseconds. Returns the new progress, or null when there are no more rows. */
  step(orgId: string, progress: DeletionProgress | null): Promise<DeletionProgress | null>;
  /** Forgets the organization, unless it was deleted so recently that writes for it may still be in progress. */
  finish(orgId: string): Promise<void>;
}

const organizationsPerRound = 100;

/**
 * Deletes the rows that deleted organizations have left, in small steps, until the signal aborts. The next call
 * continues.
 */
export async function deleteLeftovers(store: DeletionStore, signal: AbortSignal): Promise<void> {
  for (const orgId of await store.list(organizationsPerRound)) {
    let progress: DeletionProgress | null = null;
    await inSteps(async () => {
      progress = await store.step(orgId, progress);
      return progress !== null;
    }, signal);
    if (signal.aborted) return;
    await store.finish(orgId);
  }
}
