import { ServiceError } from '../../errors.ts';
import { exclusively } from '../postgres/exclusively.ts';
import { migratePostgres } from '../postgres/migrate.ts';
import { withSession } from '../postgres/session.ts';
import type { TokenSigner } from '../token-signer.ts';
import type { MoveSource } from './source.ts';
import { movedTables, type Row, type TableCounts } from './tables.ts';
import { MoveTarget } from './target.ts';

export interface Moved {
  readonly source: TableCounts;
  /** As counted there when it was done. */
  readonly target: TableCounts;
  /** Whether an earlier call had done it all. */
  readonly finishedBefore: boolean;
}

type OnProgress = (done: number, total: number) => void;

/**
 * Moves everything from SQLite into an empty Postgres. Killed at any point, it goes on where it was: the vectors chunk by
 * chunk, and then all the rest in one transaction, as the source has it by then. Throws `invalid_request` when the target holds
 * anything but this move.
 */
export async function moveStores(
  source: MoveSource,
  url: string,
  signer: TokenSigner,
  onProgress: OnProgress,
): Promise<Moved> {
  const { id } = source;
  if (id === undefined) {
    throw new ServiceError('invalid_request', 'The source has no organizations: there is nothing to move');
  }
  await migratePostgres(url, { signer });
  return exclusively(url, () =>
    withSession(url, async (client) => {
      const target = new MoveTarget(client);
      const { lastVectorId, finished } = await target.begin(id);
      const counts = source.counts();
      if (finished) return { source: counts, target: finished, finishedBefore: true };
      const step = countSteps(counts, onProgress);
      await moveVectors(source, target, lastVectorId, step);
      const moved = await target.finish(tablesOf(source, step), counts);
      return { source: counts, target: moved, finishedBefore: false };
    }),
  );
}

async function moveVectors(
  source: MoveSource,
  target: MoveTarget,
  lastVectorId: number,
  step: (rows: number) => void,
): Promise<void> {
  const moved = await target.countVectors();
  // The source was used since: what it has forgotten or written again must not stay as it was.
  const isAsItWas = moved === source.vectorsUpTo(lastVectorId);
  if (isAsItWas) step(moved);
  else await target.dropVectors();
  for (const rows of source.vectorsAfter(isAsItWas ? lastVectorId : 0)) {
    await target.addVectors(rows, Number(rows.at(-1)?.id));
    step(rows.length);
  }
}

function* tablesOf(
  source: MoveSource,
  step: (rows: number) => void,
): Iterable<{ table: string; rows: Row[] }> {
  for (const table of movedTables) {
    for (const rows of source.rows(table)) {
      yield { table, rows };
      step(rows.length);
    }
  }
}

function countSteps(counts: TableCounts, onProgress: OnProgress): (rows: number) => void {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  let done = 0;
  onProgress(done, total);
  return (rows) => {
    done += rows;
    onProgress(done, total);
  };
}
