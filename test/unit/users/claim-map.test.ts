import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapped } from '../../../src/users/claim-map.ts';

test('a claim is found by its name or a path, is a text or a list, and gives the highest role', () => {
  const memberships = [
    { value: 'leads', orgId: 'a', role: 'admin' },
    { value: 'team', orgId: 'a', role: 'member' },
    { value: 'team', orgId: 'b', role: 'viewer' },
  ] as const;
  const found = (claim: string, claims: Record<string, unknown>) =>
    Object.fromEntries(mapped({ claim, memberships }, claims).memberships);
  const team = { a: 'member', b: 'viewer' };
  assert.deepEqual(found('groups', { groups: ['other', 'team'] }), team);
  assert.deepEqual(found('groups', { groups: ['leads', 'team'] }), { a: 'admin', b: 'viewer' });
  assert.deepEqual(found('department', { department: 'leads' }), { a: 'admin' });
  assert.deepEqual(found('realm_access.roles', { realm_access: { roles: ['team'] } }), team);
  assert.deepEqual(found('https://id.example.com/groups', { 'https://id.example.com/groups': 'team' }), team);
  for (const groups of [undefined, null, 7, 'Team', ['team team', 7, ['team']], { team: true }])
    assert.deepEqual(found('groups', { groups }), {}, JSON.stringify(groups));
  assert.deepEqual(found('realm_access.roles', { realm_access: 'team' }), {});
  const unmapped = (groups: unknown) => mapped({ claim: 'groups', memberships }, { groups }).unmapped;
  const without = 'no value of the claim groups is in the map: ';
  assert.equal(unmapped('team'), undefined);
  assert.equal(unmapped('/team'), `${without}"/team"`);
  assert.equal(unmapped(['a\n', 7, {}]), `${without}"a\\n", number, object`);
  assert.equal(unmapped(undefined), `${without}the provider does not send it`);
  assert.equal(unmapped('x'.repeat(1_000)), `${without}"${'x'.repeat(99)}`);
});
