import { systemClock } from '../src/lib/clock.ts';
import { standardTiers } from '../src/quota/tiers.ts';
import { windowAt } from '../src/quota/window.ts';
import type { Stores } from '../src/store/stores.ts';
import { AlertWatch } from '../src/usage/alerts/alert-watch.ts';
import { Alerts } from '../src/usage/alerts/alerts.ts';
import { rollUpMonths } from '../src/usage/roll-up.ts';

/** What the service does beside its requests. Another one goes into `chores`. */
export interface Chore {
  readonly name: string;
  prepare?(execute: (statement: string) => unknown): Promise<void>;
  run(stores: Stores): Promise<void>;
}

/** The records that there are: 1,000 keys of each organization on each day. */
export const organizations = 5;
export const days = 1_000;

const alertedOrganizations = 100_000;

const rollUp: Chore = {
  name: 'summing months up',
  run: ({ usage }) =>
    rollUpMonths(usage, systemClock.now(), {
      onError(reason) {
        throw reason;
      },
    }),
};

const raiseAlerts: Chore = {
  name: `alerts of ${alertedOrganizations.toLocaleString('en-US')} organizations past 50 %`,
  async prepare(execute) {
    const { startMs } = windowAt('month', systemClock.now());
    const numbers = `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${alertedOrganizations})`;
    await execute(`INSERT INTO organizations (org_id, name, tier, created_at, revision)
      ${numbers} SELECT 'alerted_' || CAST(n AS TEXT), 'alerted', 'free', 1, 1 FROM numbers`);
    await execute(`INSERT INTO quota_windows (org_id, window_kind, window_start, used)
      ${numbers} SELECT 'alerted_' || CAST(n AS TEXT), 'month', ${startMs}, 5100 FROM numbers`);
  },
  async run(stores) {
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

export const chores: readonly Chore[] = [rollUp, raiseAlerts];
