import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPlans } from '../../../helpers/statement-plans.ts';

test('the check of all recorded statements finds those that read a whole table', async () => {
  using plans = await openPlans();
  const faults = {
    'SELECT name FROM organizations WHERE cache_secret = ?': true,
    'SELECT o.name FROM organizations AS o WHERE o.cache_secret = ?': true,
    'SELECT o.name FROM organizations o WHERE o.cache_secret = ?': true,
    // Reads a whole index.
    'SELECT created_at FROM organizations': true,
    'SELECT name FROM organizations WHERE tier <> ? ORDER BY created_at, org_id LIMIT 3': true,
    'DELETE FROM vectors WHERE length(vector) = ?': true,
    'UPDATE api_keys SET name = ? WHERE hint = ?': true,
    'SELECT name FROM organizations WHERE org_id = ?': false,
    'SELECT name FROM organizations ORDER BY created_at, org_id LIMIT 3': false,
    'SELECT holder FROM leases': false,
    'SELECT 1 FROM a_table_of_a_test': false,
  };
  for (const [sql, isFault] of Object.entries(faults)) {
    assert.equal(plans.faultOf(sql) !== undefined, isFault, sql);
  }
  // Names the rows too that refer to the deleted ones.
  const fault = plans.faultOf('DELETE FROM users');
  assert.match(fault!, /DELETE FROM users\n +SCAN users\n +SEARCH members .*\nAdd an index or/s);
});
