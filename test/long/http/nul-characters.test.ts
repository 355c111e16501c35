import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { openPostgres } from '../../helpers/postgres.ts';
import { ownPostgres } from '../../helpers/replicas.ts';
import { untilEnd } from '../../helpers/until-end.ts';

const nul = 'a\u0000b';

// Postgres text can't contain the NUL character, so a statement with it fails.
describe('the NUL character on Postgres', async () => {
  const postgres = untilEnd(await openPostgres());
  const environment = { ...ownPostgres(await postgres.createDatabase()), SIGN_UP: 'open' };
  const service = untilEnd(await listeningApp({ environment }));
  const admin = await new Browser(service.address).signIn(service.administrator);

  it('is refused with 400 or 404 in a path, a query or a body', async () => {
    const org = `/v1/organizations/${service.orgId}`;
    const requests: [string, string, unknown?][] = [
      ['GET', `${org}/keys/%00`],
      ['GET', `${org}/usage?from=%00`],
      ['POST', `${org}/keys`, { name: nul }],
      ['PATCH', '/v1/me', { name: nul }],
    ];
    for (const [method, path, body] of requests) await assertRefused(admin, method, path, body);
  });

  it('is refused with 400, 401 or 404 where no session is needed', async () => {
    const password = 'correct horse battery';
    const requests: [string, string, unknown?][] = [
      ['POST', '/v1/auth/password/reset', { token: nul, new_password: password }],
      ['POST', '/v1/auth/sign-in', { email: `${nul}@example.com`, password }],
      ['POST', '/v1/auth/sign-in', { email: 'a@example.com', password: nul }],
      ['POST', '/v1/auth/sign-up', { email: 'b@example.com', name: nul, password }],
      ['POST', '/v1/auth/sign-up', { email: `${nul}@example.com`, name: 'b', password }],
      ['POST', '/v1/invitations/accept', { token: nul, name: nul, password }],
      ['POST', '/v1/invitations/find', { token: nul }],
      ['GET', '/auth/callback/github?code=a&state=%00'],
    ];
    for (const [method, path, body] of requests) {
      await assertRefused(new Browser(service.address), method, path, body);
    }
  });

  it('is not found in a name that only spells its escape sequence', async () => {
    const page = new Browser(service.address);
    const account = { email: 'spelled@example.com', password: 'correct horse battery' };
    await page.ask(200, 'POST', '/v1/auth/sign-up', { ...account, name: 'a\\u0000b' });
    assert.equal((await page.ask<{ name: string }>(200, 'GET', '/v1/me')).name, 'a\\u0000b');
  });

  it('is refused in texts to embed only where they reach the database', async () => {
    const path = `/v1/organizations/${service.orgId}/embeddings`;
    await admin.ask(200, 'POST', path, { input: nul });
    await assertRefused(admin, 'POST', path, { input: 'x', model: nul });
    await admin.ask(200, 'POST', path, { input: 'x', user: nul });
  });

  it('in the id of a key gets the same response as an unknown id', async () => {
    for (const report of ['usage', 'usage/export']) {
      const response = await admin.send('GET', `/v1/organizations/${service.orgId}/${report}?key_id=%00`);
      assert.equal(response.status, 200);
      await response.arrayBuffer();
    }
  });
});

async function assertRefused(page: Browser, method: string, path: string, body?: unknown): Promise<void> {
  const response = await page.send(method, path, body);
  const text = await response.text();
  assert.ok([400, 401, 404].includes(response.status), `${method} ${path}: ${response.status} ${text}`);
}
