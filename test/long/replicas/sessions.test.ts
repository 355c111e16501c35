import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Browser } from '../../helpers/browser.ts';
import { openPostgres } from '../../helpers/postgres.ts';
import { newOrganization, startReplicas } from '../../helpers/replicas.ts';
import { statusWith } from '../../helpers/requests.ts';
import { untilEnd } from '../../helpers/until-end.ts';

describe('users and sessions on two replica processes', async () => {
  const postgres = untilEnd(await openPostgres());
  const replicas = untilEnd(await startReplicas(await postgres.createDatabase(), 2));

  test('refuse a session that the other replica ended from the next request on', async () => {
    const { users, keys } = replicas.gate;
    const [here, there] = replicas.services.map(({ address }) => address) as [string, string];
    const administrator = await users.create({ email: 'root@example.com', isAdmin: true });
    const { user, password } = await users.create({ email: 'ada@example.com' });
    const root = await new Browser(here).signIn({ email: administrator.user.email, ...administrator });
    const signIn = () => new Browser(there).signIn({ email: user.email, password });
    const path = `/v1/users/${user.userId}`;

    const first = await signIn();
    await first.ask(200, 'GET', '/v1/me');
    assert.deepEqual(await root.ask(200, 'DELETE', `${path}/sessions`), { ended: 1 });
    await first.ask(401, 'GET', '/v1/me');

    const second = await signIn();
    await root.ask(200, 'PATCH', path, { is_admin: true });
    await second.ask(200, 'GET', '/v1/users');
    await root.ask(200, 'PATCH', path, { is_admin: false });
    await second.ask(403, 'GET', '/v1/users');

    const { orgId } = await newOrganization(replicas.gate, { amount: 10, window: 'day' }, 0);
    const { secret } = await keys.create({ orgId, userId: user.userId, name: 'theirs' });
    assert.equal(await statusWith(here, secret), 200);
    await root.ask(200, 'PATCH', path, { disabled: true, revoke_keys: true });
    assert.equal(await statusWith(here, secret), 401);
    await second.ask(401, 'GET', '/v1/me');
    await assert.rejects(signIn(), /answered 403/);
  });
});
