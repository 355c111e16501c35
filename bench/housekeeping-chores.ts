import { join } from 'node:path';
import { AlertWatch } from '../src/alerts/alert-watch.ts';
import { Alerts } from '../src/alerts/alerts.ts';
import { fixedKeyring, generateSigningKey } from '../src/keys/keyring.ts';
import { Keys } from '../src/keys/keys.ts';
import { systemClock } from '../src/lib/clock.ts';
import { Deletions } from '../src/organizations/deletions.ts';
import { Organizations } from '../src/organizations/organizations.ts';
import { standardTiers } from '../src/quota/tiers.ts';
import { windowAt } from '../src/quota/window.ts';
import { rollUpMonths } from '../src/usage/roll-up.ts';
import { temporaryDirectory } from '../test/helpers/directory.ts';
import { spawnEmbedgate } from '../test/helpers/embedgate.ts';
import type { Place } from './housekeeping-place.ts';

/** The service's work beside its requests. Add further ones to `chores`. */
export interface Chore {
  readonly name: string;
  prepare?(place: Place): Promise<void>;
  run(place: Place): Promise<void>;
}

/** The existing records: 1,000 keys of each organization on each day. */
export const organizations = 5;
export const days = 1_000;

const alertedOrganizations = 100_000;

const rollUp: Chore = {
  name: 'summing months up',
  run: ({ stores }) =>
    rollUpMonths(stores.usage, systemClock.now(), {
      onError(reason) {
        throw reason;
      },
    }),
};

const raiseAlerts: Chore = {
  name: `alerts of ${alertedOrganizations.toLocaleString('en-US')} organizations past 50 %`,
  async prepare({ execute }) {
    const { startMs } = windowAt('month', systemClock.now());
    const numbers = `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${alertedOrganizations})`;
    await execute(`INSERT INTO organizations (org_id, name, tier, created_at, revision)
      ${numbers} SELECT 'alerted_' || CAST(n AS TEXT), 'alerted', 'free', 1, 1 FROM numbers`);
    await execute(`INSERT INTO quota_windows (org_id, window_kind, window_start, used)
      ${numbers} SELECT 'alerted_' || CAST(n AS TEXT), 'month', ${startMs}, 5100 FROM numbers`);
  },
  async run({ stores }) {
    let raised = 0;
    const watch = new AlertWatch({
      alerts: new Alerts(stores.alerts, systemClock),
      ...{ store: stores.alerts, leases: stores.leases, usage: stores.usage, tiers: standardTiers },
      onRaised(count) {
        raised += count;
      },
      housekeep: async () => {},
      onError(reason) {
        throw reason;
      },
    });
    await watch.sweep();
    await watch.close();
    if (raised !== alertedOrganizations) throw new Error(`${raised} alerts were raised`);
  },
};

const vectors = 1_000_000;
const vectorBytes = 2_048;
const unbounded = Number.MAX_SAFE_INTEGER;

const pruneNothing: Chore = {
  name: `pruning ${thousands(vectors)} vectors, of which all stay`,
  async prepare({ stores, addVectors }) {
    await addVectors(vectors);
    // The first one counts what existed before.
    await stores.vectors.prune({ createdBeforeMs: 0, maxBytes: unbounded });
  },
  run: ({ stores }) => stores.vectors.prune({ createdBeforeMs: 0, maxBytes: unbounded }),
};

const pruneSize: Chore = {
  name: 'pruning half of them by their size',
  run: ({ stores }) => stores.vectors.prune({ createdBeforeMs: 0, maxBytes: (vectors / 2) * vectorBytes }),
};

const pruneAge: Chore = {
  name: 'pruning the others by their age',
  run: ({ stores }) => stores.vectors.prune({ createdBeforeMs: unbounded, maxBytes: unbounded }),
};

const backUp: Chore = {
  name: 'a backup',
  async run({ environment }) {
    using directory = temporaryDirectory();
    const to = join(directory.path, 'backup.tar.gz');
    const { code } = await spawnEmbedgate(['backup', '--to', to], environment).exited;
    if (code !== 0) throw new Error(`the backup ended with ${code}`);
  },
};

const keysOfDeleted = 1_000;

const deleteAll: Chore = {
  name: `deleting ${organizations} organizations with all usage records`,
  async prepare({ execute, environment }) {
    const bytes = 'DATABASE_URL' in environment ? 'BYTEA' : 'BLOB';
    const insert = (status: string, count: number) => `
      INSERT INTO api_keys (key_id, org_id, user_id, name, digest, hint, token, status, created_at, expires_at)
      WITH RECURSIVE orgs(o) AS (SELECT 1 UNION ALL SELECT o + 1 FROM orgs WHERE o < ${organizations}),
        numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
      SELECT '${status}-' || CAST(o AS TEXT) || '-' || CAST(n AS TEXT), 'used_' || CAST(o AS TEXT), 'u', 'key',
        '${status}-' || CAST(o AS TEXT) || '-' || CAST(n AS TEXT), 'sk_…', CAST('token' AS ${bytes}), '${status}', n, 9000000000000000
      FROM orgs CROSS JOIN numbers`;
    await execute(insert('active', keysOfDeleted));
    await execute(insert('revoked', 10 * keysOfDeleted));
  },
  async run({ stores }) {
    const keys = new Keys(stores.keys, fixedKeyring([generateSigningKey()]), systemClock);
    const all = new Organizations(stores.organizations, keys, systemClock);
    const deletions = new Deletions({
      ...{ store: stores.deletions, leases: stores.leases },
      onError(reason) {
        throw reason;
      },
    });
    for (let n = 1; n <= organizations; n += 1) await all.delete(`used_${n}`);
    deletions.look();
    await deletions.idle();
    await deletions.close();
    const left = await stores.usage.rows('used_1', 0, unbounded);
    if (left.length > 0) throw new Error(`${left.length} records are left`);
  },
};

function thousands(count: number): string {
  return count.toLocaleString('en-US');
}

export const chores: readonly Chore[] = [
  rollUp,
  raiseAlerts,
  pruneNothing,
  pruneSize,
  pruneAge,
  backUp,
  deleteAll,
];
