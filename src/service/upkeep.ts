import type { Logger } from 'pino';
import type { VectorCache } from '../embeddings/vector-cache.ts';
import type { Chores } from '../lib/chores.ts';
import { inSteps, throughAll } from '../lib/in-steps.ts';
import { deleteLeftovers } from '../organizations/deletions.ts';
import type { UsageRecorder } from '../usage/recorder.ts';
import { pruneRequests } from '../usage/request-pruning.ts';
import type { RequestRecorder } from '../usage/request-recorder.ts';
import type { Gate } from './gate.ts';

/** Per organization, so that an organization that creates keys all the time has a bounded list. */
const endedKeysKept = 10_000;
/** Expired invitations stay visible for a while, so that they can be sent again. */
const keepExpiredInvitationsMs = 30 * 86_400_000;

interface Kept {
  readonly gate: Gate;
  readonly cache: VectorCache;
  readonly recorder: UsageRecorder;
  readonly requestRecorder: RequestRecorder;
}

/** Adds the periodic work on what the gate, the cache and the recorder keep. */
export function addUpkeep(chores: Chores, kept: Kept, log: Logger): void {
  const { gate, cache, recorder, requestRecorder } = kept;
  const { stores, clock, organizations } = gate;
  const { requestLogMaxAgeMs: maxAgeMs, requestLogRows: maxRows } = gate.config;
  const warn = (what: string) => (reason: unknown) => log.warn({ err: reason }, what);
  chores.add({
    name: 'usage',
    everyMs: 1_000,
    isShared: false,
    run: () => recorder.flush(),
    onError: warn('usage records could not be written'),
  });
  chores.add({
    name: 'request log',
    everyMs: 500,
    isShared: false,
    run: () => requestRecorder.flush(),
    onError: warn('the request log could not be written'),
  });
  chores.add({
    name: 'old requests',
    everyMs: 600_000,
    isShared: true,
    run: ({ signal }) => pruneRequests(stores.requestLog, { nowMs: clock.now(), maxAgeMs, maxRows }, signal),
    onError: warn('old entries of the request log could not be deleted'),
  });
  chores.add({
    name: 'vectors',
    everyMs: 600_000,
    isShared: false,
    run: ({ signal }) => cache.prune(signal),
    onError: warn('the vector cache could not be pruned'),
  });
  chores.add({
    name: 'keys',
    everyMs: 600_000,
    isShared: true,
    async run({ signal }) {
      await throughAll((after) => stores.keys.pruneEnded(clock.now(), endedKeysKept, after), signal);
      await inSteps(() => stores.sessions.pruneExpired(clock.now()), signal);
      await inSteps(() => stores.invitations.pruneExpired(clock.now() - keepExpiredInvitationsMs), signal);
    },
    onError: warn('old keys, sessions and invitations could not be deleted'),
  });
  const deleteNow = chores.add({
    name: 'deletions',
    // Not shorter, because a round that ends with its lease begins again with an organization's first rows.
    everyMs: 20_000,
    isShared: true,
    run: ({ signal }) => deleteLeftovers(stores.deletions, signal),
    onError: warn('the usage of deleted organizations could not be deleted'),
  });
  organizations.onDeleted(() => void deleteNow());
}
