import { ServiceError } from '../../errors.ts';
import type { TokenSigner } from '../bind-before-step.ts';
import { migratePostgres } from '../postgres/migrate.ts';
import { exclusively, withSession } from '../postgres/session.ts';
import type { MoveSource } from './source.ts';
import { movedTables, type Row, type TableCounts } from './tables.ts';
import { MoveTarget } from './target.ts';

export interface Moved {
  readonly source: TableCounts;
  /** Counted in the target when the move finished. */
  readonly target: TableCounts;
  /** Whether an earlier call had already finished the move. */
  readonly finishedBefore: boolean;
}

type OnProgress = (done: number, total: number) => void;

/**
 * Moves everything from SQLite into an empty Postgres: the vectors in chunks, and then everything else in one
 * transaction. If it is killed at any point, the next call continues with the vectors that are left. Throws
 * `invalid_request` if the target has anything but a move from this source.
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
  // If the source was used since, vectors that it has deleted or replaced must not stay in the target.
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
