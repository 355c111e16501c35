import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../helpers/browser.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { apiJson, embedgateJson, runCommand } from '../../helpers/embedgate.ts';
import { done, refused } from '../../helpers/outcomes.ts';
import { requestEmbeddings, statusWith } from '../../helpers/requests.ts';
import { startService } from '../../helpers/service.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type User = { user_id: string; email: string; is_admin: boolean; disabled: boolean; password: string };

describe('embedgate api beside a running server', async () => {
  const service = untilEnd(await startService());
  const { address, environment, orgId } = service;
  const api = <R>(...args: string[]) => apiJson<R>(args, environment);

  it('adds, changes and removes a limit, which the next request obeys', async () => {
    const limits = `/v1/organizations/${orgId}/limits`;
    const embed = async (text: string) => (await requestEmbeddings(address, service.key, text)).status;
    const texts = { unit: 'texts', window: 'month' };
    const added = await api<{ limit_id: string }>('POST', limits, JSON.stringify({ ...texts, amount: 1 }));
    assert.deepEqual([await embed('one'), await embed('two')], [200, 429]);
    const path = `${limits}/${added.limit_id}`;
    await api('patch', path, '{"amount": 2}');
    assert.equal(await embed('two'), 200);
    assert.equal(done(await runCommand(['api', 'DELETE', path], environment)), '');
    assert.equal(await embed('three'), 200);
  });

  it('disables and deletes a user, whose sessions and keys end', async () => {
    const user = await embedgateJson<User>(['users', 'create', '--email', 'ada@example.com'], environment);
    const path = `/v1/users/${user.user_id}`;
    const page = await new Browser(address).signIn(user);
    assert.equal((await api<User>('PATCH', path, '{"disabled": true}')).disabled, true);
    await page.ask(401, 'GET', '/v1/me');
    const owner = ['--org-id', orgId, '--user-id', user.user_id];
    const { key } = await embedgateJson<{ key: string }>(
      ['keys', 'create', ...owner, '--name', 'k'],
      environment,
    );
    assert.equal(await statusWith(address, key), 200);
    done(await runCommand(['api', 'DELETE', `${path}?revoke_keys=true`], environment));
    assert.equal(await statusWith(address, key), 401);
  });

  it('acts as the administrator, who owns the organizations that they create', async () => {
    const { org_id } = await api<{ org_id: string }>('POST', '/v1/organizations', '{"name": "Acme"}');
    const members = await api<{ data: { email: string; role: string }[] }>(
      ...['GET', `/v1/organizations/${org_id}/members`],
    );
    assert.deepEqual(
      members.data.map(({ email, role }) => [email, role]),
      [['admin@embedgate.internal', 'owner']],
    );
    assert.ok(await api<string>('GET', `/v1/organizations/${org_id}`));
  });

  it('prints the body of a refusal, and exits with 1', async () => {
    const path = `/v1/organizations/${orgId}/limits`;
    const { code, stdout, stderr } = await runCommand(
      ['api', 'POST', path, '{"unit": "bytes"}'],
      environment,
    );
    assert.equal(code, 1);
    assert.equal(JSON.parse(stdout).error, 'invalid_request');
    assert.match(stderr, /^embedgate: The response has status 400: \S.*\n$/);
    const asOpenai = { ...environment, ERROR_FORMAT: 'openai' };
    const nested = await runCommand(['api', 'POST', path, '{"unit": "bytes"}'], asOpenai);
    assert.deepEqual([nested.code, nested.stderr], [1, stderr]);
    const text = ['api', 'POST', `/v1/organizations/${orgId}/embeddings`, '{"input": "a"}'];
    assert.match((await runCommand(text, environment)).stderr, /status 404: No model is loaded here/);
  });
});

describe('embedgate api without a server', () => {
  it('needs an administrator, a known method and a path', async () => {
    using directory = temporaryDirectory();
    const environment = { DATA_DIR: directory.path };
    done(await runCommand(['users', 'create', '--email', 'ada@example.com'], environment));
    const list = ['GET', '/v1/organizations'];
    const none = refused(await runCommand(['api', ...list], environment));
    assert.match(none, /^There is no administrator: create one with "embedgate users create --admin"$/);
    done(await runCommand(['users', 'create', '--email', 'root@example.com', '--admin'], environment));
    assert.deepEqual((await apiJson<{ data: object[] }>(list, environment)).data, []);
    assert.match(
      refused(await runCommand(['api', 'HEAD', '/v1/me'], environment)),
      /^The method must be one/,
    );
    assert.match(refused(await runCommand(['api', 'GET', 'v1/me'], environment)), /^The path must begin/);
    const page = await runCommand(['api', 'GET', '/organizations'], environment);
    assert.match(refused(page), /is a page of the dashboard. The paths of the API begin with \/v1/);
  });
});
