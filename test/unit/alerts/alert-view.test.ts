import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Alert } from '../../../src/alerts/alert.ts';
import { alertView } from '../../../src/api/alert.ts';
import { newId } from '../../../src/lib/ids.ts';

test('an alert about a member’s limit shows the address to people, and not to keys', () => {
  const alert: Alert = {
    alertId: newId(),
    orgId: newId(),
    kind: 'threshold',
    fact: 'one',
    threshold: 80,
    window: 'day',
    windowStartMs: 0,
    limit: 10,
    used: 8,
    exhaustsAtMs: null,
    expiresAtMs: null,
    raisedAtMs: 0,
    acknowledgedAtMs: null,
    acknowledgedBy: null,
    limitId: newId(),
    keyId: null,
    userId: newId(),
    name: 'ada@example.com',
  };
  const ofKey = { ...alert, keyId: newId(), userId: null, name: 'website' };
  assert.equal(alertView(alert, true, 'user').name, 'ada@example.com');
  assert.equal(alertView(alert, true, 'key').name, null);
  assert.equal(alertView(ofKey, true, 'key').name, 'website');
});
