import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { embedgate } from '../helpers/embedgate.ts';
import { addsColumn, nextRelease } from '../helpers/next-release.ts';
import { holdLocks, openPostgres, runSql } from '../helpers/postgres.ts';
import { newOrganization, startReplicas } from '../helpers/replicas.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { startFaultLoad } from './rig/fault-load.ts';

// A later release migrates while this one serves. ROWS=4000000 indexes a large table; the longest wait is printed.

const rows = Number(process.env.ROWS ?? 200_000);
const heldForMs = 8_000;

const index = `() => ['CREATE INDEX CONCURRENTLY IF NOT EXISTS usage_by_model ON usage_records (model, day, key_id)']`;

describe('a migration while an organization sends requests', async () => {
  const postgres = untilEnd(await openPostgres());
  const url = await postgres.createDatabase();
  const { services, core } = untilEnd(await startReplicas(url, 1));
  const made = await newOrganization(core, { amount: 1_000_000, window: 'month' }, 1);
  const { address, environment } = services[0]!;
  const key = made.keys[0]!;

  /** Returns how long requests waited while `work` ran. Throws if one failed. */
  async function whileServing(work: () => Promise<void>): Promise<string> {
    const load = startFaultLoad([{ key, address: () => address }]);
    await work();
    await load.stop();
    const { failed, cachedFailed, longestMs, computed } = load.met[0]!;
    assert.deepEqual([load.unexpected, failed, cachedFailed], [[], 0, 0]);
    return `${computed} computed, longest wait ${Math.round(longestMs)} ms`;
  }
  const migrate = async (program: string) => {
    const { code, stderr } = await embedgate(['migrate'], environment, program);
    assert.equal(code, 0, stderr);
  };

  test('fails none while another session has the table of a step in use', async (t) => {
    const later = untilEnd(
      nextRelease('1.1.0', { 'src/database/migrations/steps/0002-1.0-note.ts': addsColumn('organizations') }),
    );
    const said = await whileServing(async () => {
      const locks = await holdLocks(url, 'SELECT count(*) FROM organizations');
      const migrating = migrate(later.program);
      await setTimeout(heldForMs);
      await locks[Symbol.asyncDispose]();
      await migrating;
    });
    t.diagnostic(said);
  });

  test(`fails none while an index of ${rows} rows is made`, async (t) => {
    await runSql(
      url,
      `INSERT INTO usage_records (org_id, key_id, day, model)
         SELECT 'org ' || n % 1000, 'key ' || n % 10000, n / 1000, 'model ' || n % 7 FROM generate_series(1, ${rows}) AS n
         ON CONFLICT DO NOTHING`,
    );
    const later = untilEnd(
      nextRelease('1.2.0', {
        'src/database/migrations/steps/0002-1.0-note.ts': addsColumn('organizations'),
        'src/database/migrations/steps/0003-1.0-index.ts': () =>
          `export const step = { isOnline: true, sqlite: () => [], postgres: ${index} };\n`,
      }),
    );
    t.diagnostic(await whileServing(() => migrate(later.program)));
    const [found] = await runSql(
      url,
      `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'usage_by_model'::regclass`,
    );
    assert.equal(found?.valid, true);
  });
});
