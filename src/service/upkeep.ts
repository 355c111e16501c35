import type { Logger } from 'pino';
import type { VectorCache } from '../embeddings/vector-cache.ts';
import type { Chore, Chores } from '../lib/chores.ts';
import { longestPauseMs } from '../lib/database.ts';
import { inSteps, inStepsOfEach } from '../lib/in-steps.ts';
import { deleteLeftovers } from '../organizations/deletions.ts';
import { pruneExcess, pruneRequests } from '../usage/prune-requests.ts';
import type { UsageRecorder } from '../usage/recorder.ts';
import { type Core, checkSecrets, pruneKeys } from './core.ts';

/** Expired invitations stay visible for a while, so that they can be sent again. */
const dayMs = 86_400_000;
const keepExpiredInvitationsMs = 30 * dayMs;
/**
 * The most entries of an organization, and of everything that belongs to none. It is more than people read. Without it, a
 * key that creates and deletes files all the time could fill the disk.
 */
const mostEntries = 100_000;

interface Kept {
  readonly core: Core;
  readonly cache: VectorCache;
  readonly recorder: UsageRecorder;
  /** The organizations that requests to this process have changed. Null: what belongs to none, such as an account. */
  readonly changed: Set<string | null>;
}

/** Adds the periodic work on what the core, the cache and the recorder keep. */
export function addUpkeep(chores: Chores, kept: Kept, log: Logger): void {
  const { core, cache, recorder, changed } = kept;
  const { stores, organizations } = core;
  const { requestLogMaxAgeMs: maxAgeMs, requestLogRows, requestLogTotalRows: maxRows } = core.config;
  const add = (name: string, everyMs: number, isShared: boolean, failure: string, run: Chore['run']) =>
    chores.add({ name, everyMs, isShared, run, onError: (reason) => log.warn({ err: reason }, failure) });

  const unchecked = 'the secrets or the clock could not be compared with the database';
  const lookAtSecrets = add('secrets', 60_000, false, unchecked, () => checkSecrets(core, log));
  const lookAtClock = add('clock', 600_000, false, unchecked, async () => {
    const gapMs = await stores.leases.gapMs();
    const ahead = `${Math.floor(Math.abs(gapMs) / dayMs)} days ahead`;
    const section = 'see "Clocks" in docs/operations.md';
    if (gapMs > longestPauseMs)
      log.warn(
        `the clock is ${ahead} of the last time that the database has seen: nothing is deleted and no batch runs ` +
          `until "embedgate trust-clock" confirms it; ${section}`,
      );
    if (gapMs < -dayMs)
      log.warn(`the clock was ${ahead} before: some limits begin in the future; ${section}`);
  });
  void lookAtSecrets();
  // Before another chore makes the present time the last.
  void lookAtClock();
  const behind = 'the limits of organizations could not be changed to those of their tiers';
  add('tiers', 60_000, true, behind, ({ signal }) => inSteps(() => stores.limits.followTiers(), signal));
  add('usage', 500, false, 'usage could not be written', () => recorder.flushSome());
  add('old requests', 600_000, true, 'old requests could not be deleted from the log', ({ nowMs, signal }) =>
    pruneRequests(stores.requestLog, { nowMs, maxAgeMs, maxRows }, signal),
  );
  // To find the excess, as many entries are read as an organization may have.
  const many = requestLogRows / 20;
  const crowded = 'the oldest requests of an organization could not be deleted from the log';
  add('crowded logs', 600_000, false, crowded, ({ signal }) =>
    inStepsOfEach(
      new Set(recorder.crowded(many)),
      async (orgId) => {
        await pruneExcess(stores.requestLog, orgId, requestLogRows, signal);
        if (!signal.aborted) recorder.pruned(orgId);
        return false;
      },
      signal,
    ),
  );
  const unforgotten = 'old entries of the audit log could not be deleted';
  add('audit', 600_000, true, unforgotten, ({ nowMs, signal }) =>
    inSteps(() => stores.audit.prune(nowMs - core.config.auditMaxAgeMs), signal),
  );
  add('crowded audit logs', 600_000, false, unforgotten, ({ signal }) =>
    inStepsOfEach(changed, (orgId) => stores.audit.pruneExcess(orgId, mostEntries), signal),
  );
  add('vectors', 600_000, false, 'the vector cache could not be pruned', async ({ signal }) => {
    if (await stores.leases.isClockTrusted()) await cache.prune(signal);
  });
  add('keys', 600_000, false, 'old keys could not be deleted', ({ signal }) => pruneKeys(core, signal));
  const failure = 'old sessions and invitations could not be deleted';
  add('sessions', 600_000, true, failure, async ({ nowMs, signal }) => {
    await inSteps(() => stores.sessions.pruneExpired(), signal);
    await inSteps(() => stores.invitations.pruneExpired(nowMs - keepExpiredInvitationsMs), signal);
  });
  // Not more often, because a round that ends with its lease begins again with an organization's first rows.
  const undeleted = 'the usage of deleted organizations could not be deleted';
  const deleteNow = add('deletions', 20_000, true, undeleted, ({ signal }) =>
    deleteLeftovers(stores.deletions, signal),
  );
  organizations.onDeleted(() => void deleteNow());
}
