import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditList } from '../../../src/audit/entry.ts';
import { newId } from '../../../src/lib/ids.ts';
import { allRows } from '../../../src/lib/page.ts';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startMailServer } from '../../helpers/mail-server.ts';
import { totpCode } from '../../helpers/totp.ts';
import { untilEnd } from '../../helpers/until-end.ts';

/** The routes with a method other than GET that leave no entry, and why. */
const withoutEntry: Record<string, string> = {
  'post /v1/embeddings': 'computes, and the request log has it',
  'post /v1/rerank': 'computes, and the request log has it',
  'post /v1/tokenize': 'computes',
  'post /v1/organizations/{org_id}/embeddings': 'computes, and the request log has it',
  'post /v1/organizations/{org_id}/tokenize': 'computes',
  'post /v1/invitations/find': 'reads',
  'post /v1/auth/sign-in/provider': 'only returns the address of the provider',
  'post /v1/organizations/{org_id}/alerts/targets/{target_id}/confirmation': 'mails a link again',
};

type Body = Record<string, string>;
const publicUrl = 'https://embed.example.com';

describe('the audit log and the routes', async () => {
  const mail = untilEnd(await startMailServer());
  const app = untilEnd(
    await listeningApp({
      environment: {
        SMTP_URL: mail.url,
        PUBLIC_URL: publicUrl,
        SIGN_UP: 'open',
        WEBHOOK_PRIVATE_ADDRESSES: 'allow',
      },
    }),
  );
  const { audit } = app.services.stores;
  const entries = () => allRows((query) => audit.page({}, auditList.request(query)));
  const secrets = new Set<string>([app.administrator.password, app.key]);
  const walked = new Set<string>();

  /** Sends a request that changes something, and requires an entry with this action. */
  async function change(
    route: string,
    action: string,
    options: { page?: Browser; ids?: Body; body?: unknown; key?: string; form?: FormData } = {},
  ): Promise<Body> {
    const [method = '', template = ''] = route.split(' ');
    const path = template.replace(/\{(\w+)\}/g, (_, name) => options.ids?.[name] ?? app.orgId);
    const requestId = newId();
    const headers = {
      'x-request-id': requestId,
      ...(options.key && { authorization: `Bearer ${options.key}` }),
    };
    const response = options.form
      ? await fetch(app.address + path, { method, headers, body: options.form })
      : await (options.page ?? admin).send(method.toUpperCase(), path, options.body, headers);
    const text = await response.text();
    assert.ok(response.ok, `${route}: ${response.status} ${text}`);
    const body = text === '' ? {} : JSON.parse(text);
    keepSecrets(body);
    const newest = (await audit.page({}, auditList.request({ limit: 100 }))).data;
    const found = newest.filter((entry) => entry.requestId === requestId);
    assert.ok(
      found.some((entry) => entry.action === action),
      `${route}: ${action} is not among ${found.map((entry) => entry.action)}`,
    );
    for (const entry of found) {
      assert.ok(entry.targetId && entry.targetName, `${route}: the entry names no target`);
      assert.equal(entry.address, '127.0.0.1');
      if (options.page === undefined) assert.equal(entry.actorKind, options.key ? 'key' : 'user', route);
    }
    walked.add(route);
    return body;
  }

  /** Keeps what only the response shows. */
  function keepSecrets({ secret, password, url, uri, backup_codes }: Record<string, unknown>): void {
    for (const text of [secret, password].filter((value) => typeof value === 'string')) secrets.add(text);
    if (typeof url === 'string') secrets.add(url.slice(url.lastIndexOf('=') + 1));
    if (typeof uri === 'string') secrets.add(new URL(uri).searchParams.get('secret') ?? '');
    for (const code of (backup_codes as string[] | undefined) ?? []) secrets.add(code);
  }

  /** Returns the token of the newest link that an address got. */
  async function mailed(address: string): Promise<string> {
    const tokens = () =>
      mail.mails.flatMap(({ to, content }) =>
        to.includes(address) ? (/#?token=([\w.-]+)/.exec(content)?.[1] ?? []) : [],
      );
    await eventually(() => tokens().length > 0);
    return tokens().at(-1)!;
  }

  const browser = () => new Browser(app.address, publicUrl);
  const signInAs = async (email: string, password: string, body: object = {}) => {
    const page = browser();
    await change('post /v1/auth/sign-in', 'session.create', { page, body: { email, password, ...body } });
    return page;
  };
  const admin = browser();
  await admin.signIn(app.administrator);

  test('every successful change leaves an entry', async () => {
    const org = '/v1/organizations/{org_id}';
    await change(`patch ${org}`, 'organization.change', { body: { name: 'Renamed' } });
    await change(`put ${org}/tier`, 'organization.change', { body: { tier: 'pro' } });
    await change(`delete ${org}/vectors`, 'organization.purge-vectors');
    const { org_id } = await change('post /v1/organizations', 'organization.create', {
      body: { name: 'Doomed' },
    });
    await change(`delete ${org}`, 'organization.delete', { ids: { org_id: org_id! } });

    const created = await change(`post ${org}/keys`, 'key.create', { body: { name: 'laptop' } });
    const ids = { key_id: created.key_id! };
    await change(`patch ${org}/keys/{key_id}`, 'key.change', { ids, body: { name: 'other' } });
    await change(`post ${org}/keys/{key_id}/rotate`, 'key.rotate', { ids, body: {} });
    const { url } = await change(`post ${org}/keys/{key_id}/link`, 'key.create-link', { ids });
    const token = url!.split('token=')[1]!;
    secrets.add(token.split('.')[1]!);
    await change('post /v1/key-links/open', 'key.change', { page: browser(), body: { token } });
    await change(`post ${org}/keys/{key_id}/revoke`, 'key.revoke', { ids });

    const external = { external_id: 'customer-1' };
    const digest = (letter: string) => ({ name: 'server', secret_sha256: letter.repeat(64) });
    await change('put /v1/organizations/external/{external_id}', 'organization.create', {
      ids: external,
      body: { name: 'Customer' },
    });
    await change(`put ${org}/keys/external/{external_id}`, 'key.create', {
      ids: external,
      body: digest('a'),
    });
    const rights = { scopes: ['read'] };
    const all = await change('post /v1/keys', 'key.create', { body: { name: 'billing', ...rights } });
    const program = { key_id: all.key_id! };
    await change('put /v1/keys/external/{external_id}', 'key.create', {
      ids: external,
      body: { ...digest('b'), ...rights },
    });
    await change('patch /v1/keys/{key_id}', 'key.change', { ids: program, body: { name: 'invoices' } });
    await change('post /v1/keys/{key_id}/rotate', 'key.rotate', { ids: program, body: {} });
    await change('post /v1/keys/{key_id}/link', 'key.create-link', { ids: program });
    await change('post /v1/keys/{key_id}/revoke', 'key.revoke', { ids: program });

    const limit = { unit: 'texts', window: 'day', amount: 5 };
    const { limit_id } = await change(`post ${org}/limits`, 'limit.create', { body: limit });
    const limited = { limit_id: limit_id! };
    await change(`patch ${org}/limits/{limit_id}`, 'limit.change', { ids: limited, body: { amount: 6 } });
    await change(`delete ${org}/limits/{limit_id}`, 'limit.delete', { ids: limited });
  });

  test('every successful change of alerts and channels leaves an entry', async () => {
    const alerts = '/v1/organizations/{org_id}/alerts';
    const standing = await app.services.ledger.readStanding(app.orgId);
    const due = { orgId: app.orgId, kind: 'threshold', threshold: 80, standing, exhaustsAtMs: null } as const;
    await app.services.alerting.alerts.raise([due]);
    const { data } = await admin.ask<{ data: Body[] }>(200, 'GET', `/v1/organizations/${app.orgId}/alerts`);
    const ids = { alert_id: data[0]!.alert_id! };
    await change(`post ${alerts}/{alert_id}/acknowledge`, 'alert.acknowledge', { ids });
    const more = { ...due, threshold: 90 };
    await app.services.alerting.alerts.raise([more]);
    const { data: open } = await admin.ask<{ data: Body[] }>(
      200,
      'GET',
      `/v1/organizations/${app.orgId}/alerts?status=open`,
    );
    const body = { alert_ids: open.map(({ alert_id }) => alert_id!) };
    await change(`post ${alerts}/acknowledge`, 'alert.acknowledge', { body });
    const settings = { thresholds: [50], projection: false };
    await change(`put ${alerts}/settings`, 'alert-settings.change', { body: settings });

    const hook = { kind: 'webhook', address: 'http://127.0.0.1:1/services/T0K3N?key=Qu3ryS3cret' };
    for (const secret of ['T0K3N', 'Qu3ryS3cret']) secrets.add(secret);
    const webhook = await change(`post ${alerts}/targets`, 'channel.create', { body: hook });
    const target = { target_id: webhook.target_id! };
    const sent = await change(`post ${alerts}/targets/{target_id}/test`, 'channel.send', { ids: target });
    const again = { delivery_id: sent.delivery_id! };
    await change(`post ${alerts}/deliveries/{delivery_id}/resend`, 'channel.send', { ids: again });
    const address = 'others@example.com';
    await change(`post ${alerts}/targets`, 'channel.create', { body: { kind: 'email', address } });
    const token = await mailed(address);
    secrets.add(token);
    await change('post /v1/alert-targets/confirm', 'channel.confirm', { page: browser(), body: { token } });
    await change(`delete ${alerts}/targets/{target_id}`, 'channel.delete', { ids: target });
    const all = await change('post /v1/alerts/targets', 'channel.create', { body: hook });
    const ofAll = { target_id: all.target_id! };
    await change('delete /v1/alerts/targets/{target_id}', 'channel.delete', { ids: ofAll });
  });

  test('every successful change of people leaves an entry', async () => {
    const password = 'a long password';
    secrets.add(password);
    const invitations = '/v1/organizations/{org_id}/invitations';
    const invite = (email: string) =>
      change(`post ${invitations}`, 'invitation.create', { body: { email, role: 'member' } });
    const { invitation_id } = await invite('withdrawn@example.com');
    const ids = { invitation_id: invitation_id! };
    await change(`delete ${invitations}/{invitation_id}`, 'invitation.delete', { ids });
    await invite('new@example.com');
    const token = await mailed('new@example.com');
    secrets.add(token);
    const accepted = { token, name: 'New', password };
    await change('post /v1/invitations/accept', 'invitation.accept', { page: browser(), body: accepted });

    const { user_id } = await change('post /v1/users', 'user.create', { body: { email: 'ada@example.com' } });
    const ada = { user_id: user_id! };
    await app.services.members.add(app.orgId, ada.user_id, 'viewer');
    const member = '/v1/organizations/{org_id}/members/{user_id}';
    await change(`patch ${member}`, 'member.change', { ids: ada, body: { role: 'admin' } });
    await change(`delete ${member}`, 'member.delete', { ids: ada });
    await change('patch /v1/users/{user_id}', 'user.change', { ids: ada, body: { is_admin: true } });
    await change('post /v1/users/{user_id}/password-reset', 'user.create-reset-link', { ids: ada });
    // The response doesn't wait for the link.
    await browser().ask(200, 'POST', '/v1/auth/password/forgot', { email: 'ada@example.com' });
    const reset = await mailed('ada@example.com');
    secrets.add(reset);
    assert.ok(
      (await entries()).some(
        ({ action, actorKind }) => action === 'user.create-reset-link' && actorKind === 'visitor',
      ),
    );
    walked.add('post /v1/auth/password/forgot');
    const chosen = { token: reset, new_password: password };
    await change('post /v1/auth/password/reset', 'user.set-password', { page: browser(), body: chosen });
    await signInAs('ada@example.com', password);
    await change('delete /v1/users/{user_id}/sessions', 'session.delete', { ids: ada });
    await change('delete /v1/users/{user_id}', 'user.delete', { ids: ada });
  });

  test('every successful change of oneself leaves an entry', async () => {
    const password = 'another password';
    const next = 'yet another password';
    for (const text of [password, next]) secrets.add(text);
    const me = { email: 'me@example.com', name: 'Me', password };
    const page = browser();
    await change('post /v1/auth/sign-up', 'user.create', { page, body: me });
    await change('patch /v1/me', 'user.change', { page, body: { name: 'Myself' } });
    const others = await signInAs(me.email, password);
    await change('delete /v1/me/sessions', 'session.delete', { page });
    assert.equal((await others.send('GET', '/v1/me')).status, 401);
    await signInAs(me.email, password);
    const { data } = await page.ask<{ data: (Body & { is_current: boolean })[] }>(
      200,
      'GET',
      '/v1/me/sessions',
    );
    const ids = { session_id: data.find(({ is_current }) => !is_current)!.session_id! };
    secrets.add(ids.session_id);
    await change('delete /v1/me/sessions/{session_id}', 'session.delete', { page, ids });
    const passwords = { current_password: password, new_password: next };
    await change('post /v1/me/password', 'user.set-password', { page, body: passwords });
    const { uri } = await change('post /v1/me/totp', 'user.set-up-totp', { page, body: { password: next } });
    const code = (aheadMs: number) => totpCode(uri!, Date.now() + aheadMs);
    await change('post /v1/me/totp/confirm', 'user.change', { page, body: { code: code(0) } });
    const second = await signInAs(me.email, next);
    const body = { code: code(30_000) };
    await change('post /v1/auth/sign-in/totp', 'session.create', { page: second, body });
    await change('post /v1/me/totp/remove', 'user.change', { page: second, body: { password: next } });
    secrets.add(second.cookie.split('session_token=')[1]!.slice(0, 30));
    await change('post /v1/auth/sign-out', 'session.delete', { page: second });
  });

  test('every successful change of files and batches leaves an entry', async () => {
    const line = { custom_id: '1', method: 'POST', url: '/v1/embeddings', body: { input: 'a secret text' } };
    secrets.add('a secret text');
    const form = () => formWith(line);
    const { key } = app;
    const org = '/v1/organizations/{org_id}';
    const file = await change('post /v1/files', 'file.create', { key, form: form() });
    await change(`post ${org}/files`, 'file.create', { key, form: form() });
    const ids = { file_id: file.id! };
    await change('delete /v1/files/{file_id}', 'file.delete', { key, ids });
    for (const base of ['/v1', org]) {
      const requests = Array.from({ length: 1_000 }, (_, i) => ({
        custom_id: `${i}`,
        body: { input: `${i}` },
      }));
      const body = { endpoint: '/v1/embeddings', completion_window: '24h', requests };
      const batch = await change(`post ${base}/batches`, 'batch.create', { key, body });
      const running = { batch_id: batch.id! };
      await change(`post ${base}/batches/{batch_id}/cancel`, 'batch.cancel', { key, ids: running });
    }
  });

  test('the tests above send every other route that changes something', async () => {
    const { paths } = (await (await fetch(`${app.address}/openapi.json`)).json()) as {
      paths: Record<string, object>;
    };
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).flatMap((method) => (method === 'get' ? [] : `${method} ${path}`)),
    );
    assert.deepEqual([...walked, ...Object.keys(withoutEntry)].sort(), routes.sort());
  });

  const formWith = (line: object): FormData => {
    const fields = new FormData();
    fields.set('purpose', 'batch');
    fields.set('file', new Blob([`${JSON.stringify(line)}\n`]), 'lines.jsonl');
    return fields;
  };

  test('a key’s change and its refused attempt have an entry with the key, below each base URL', async () => {
    const actor = { orgId: app.orgId, userId: 'u' };
    const { secret: key, key: record } = await app.services.keys.create({ ...actor, name: 'files' });
    const reader = await app.services.keys.create({ ...actor, name: 'reads', scopes: ['read'] });
    for (const base of ['/v1', '/openai/v1', '/openai']) {
      const file = await change(`post ${base}/files`, 'file.create', { key, form: formWith({}) });
      await change(`delete ${base}/files/{file_id}`, 'file.delete', { key, ids: { file_id: file.id! } });
      const headers = { authorization: `Bearer ${reader.secret}` };
      await browser().send('DELETE', `${base}/files/${file.id}`, undefined, headers);
      const newest = (await audit.page({}, auditList.request({ limit: 3 }))).data;
      assert.deepEqual(
        newest.map(({ action, actorId, address }) => [action, actorId, address]),
        [
          ['request.refuse', reader.key.keyId, '127.0.0.1'],
          ['file.delete', record.keyId, '127.0.0.1'],
          ['file.create', record.keyId, '127.0.0.1'],
        ],
        base,
      );
    }
  });

  test('no entry has a secret, nor a digest of one', async () => {
    const rows = JSON.stringify(await entries());
    assert.ok(secrets.size > 20, `${secrets.size} secrets`);
    for (const secret of secrets) {
      assert.ok(secret.length >= 5, `a secret is only ${JSON.stringify(secret)}`);
      assert.ok(!rows.includes(secret), `an entry has ${secret}`);
    }
    assert.doesNotMatch(rows, /sk_[0-9a-f]|[0-9a-f]{64}|digest|token|hash/);
  });

  test('people of an organization read what the operator did, and neither who it was nor from where', async () => {
    const customer = await app.services.organizations.create({ name: 'Customer' });
    const { user, password } = await app.services.users.create({ email: 'owner@customer.example' });
    await app.services.members.add(customer.orgId, user.userId, 'owner');
    const owner = await browser().signIn({ email: user.email, password });
    const { key, secret } = await app.services.keys.create({
      orgId: null,
      userId: null,
      name: 'backend of the operator',
      scopes: ['manage:organizations'],
    });
    const path = `/v1/organizations/${customer.orgId}`;
    await admin.ask(200, 'PATCH', path, { name: 'By a person' });
    await browser().send('PATCH', path, { name: 'By a key' }, { authorization: `Bearer ${secret}` });
    await owner.ask(200, 'PATCH', path, { name: 'By themself' });
    type Read = { data: { action: string; actor_id: string | null; actor_name: string; address: string }[] };
    const { data } = await owner.ask<Read>(200, 'GET', `${path}/audit?action=organization.change`);
    assert.deepEqual(
      data.map(({ actor_id, actor_name, address }) => [actor_id, actor_name, address]),
      [
        [user.userId, user.email, '127.0.0.1'],
        [null, 'The operator', null],
        [null, 'The operator', null],
      ],
    );
    for (const id of [app.administrator.userId, key.keyId])
      assert.deepEqual((await owner.ask<Read>(200, 'GET', `${path}/audit?actor=${id}`)).data, []);
    const exported = await (await owner.send('GET', `${path}/audit/export`)).text();
    assert.ok(!exported.includes(app.administrator.email) && !exported.includes(key.name), exported);
    await admin.ask(201, 'POST', `${path}/keys`, { name: 'by a person' });
    const { data: keys } = await owner.ask<{ data: { user_name: string }[] }>(200, 'GET', `${path}/keys`);
    assert.equal(keys[0]?.user_name, 'The operator');
    for (const [text, count] of [
      [app.administrator.email, 0],
      [key.name, 0],
      ['the operator', 3],
      ['BY THEMSELF', 1],
    ] as const) {
      const found = await owner.ask<Read>(200, 'GET', `${path}/audit?text=${encodeURIComponent(text)}`);
      assert.equal(found.data.length, count, text);
    }
    const all = await admin.ask<Read>(200, 'GET', `${path}/audit?actor=${app.administrator.userId}`);
    assert.ok(all.data.some(({ actor_name }) => actor_name === app.administrator.email));
  });

  test('refused attempts have entries, with the user but without an unknown address', async () => {
    const typed = 'my-passw0rd@example.com';
    for (const email of [app.administrator.email, typed])
      await browser().ask(401, 'POST', '/v1/auth/sign-in', { email, password: 'wrong password' });
    const { secret } = await app.services.keys.create({ orgId: app.orgId, userId: 'u', name: 'reader' });
    const authorization = { authorization: `Bearer ${secret}` };
    await browser().send('PATCH', `/v1/organizations/${app.orgId}`, { name: 'x' }, authorization);
    const [byKey, unknown, known] = (await entries()).filter(({ action }) => action.endsWith('.refuse'));
    assert.deepEqual(
      [byKey?.actorKind, byKey?.actorName, byKey?.orgId, byKey?.after],
      ['key', 'reader', app.orgId, { operation: 'changeOrganization', error: 'forbidden' }],
    );
    assert.deepEqual([unknown?.targetId, known?.targetName], [null, app.administrator.email]);
    assert.ok(!JSON.stringify(await entries()).includes(typed));
  });

  test('a refused sign-in has an entry, however its path is written', async () => {
    const { email, userId } = app.administrator;
    for (const path of ['/v1/auth/sign-in?a=b', '/v1/auth/sign%2Din']) {
      const requestId = newId();
      const body = { email, password: 'wrong password' };
      await browser().send('POST', path, body, { 'x-request-id': requestId });
      const found = (await entries()).filter((entry) => entry.requestId === requestId);
      assert.deepEqual(
        found.map(({ action, targetId }) => [action, targetId]),
        [['session.refuse', userId]],
        path,
      );
    }
  });

  test('refused attempts of an organization have at most 100 entries a day', async () => {
    const { orgId } = await app.services.organizations.create({ name: 'Refused' });
    const { secret } = await app.services.keys.create({ orgId, userId: 'u', name: 'reader' });
    const headers = { authorization: `Bearer ${secret}` };
    for (let i = 0; i < 105; i += 1)
      await browser().send('DELETE', `/v1/organizations/${orgId}`, undefined, headers);
    const refused = (await entries()).filter(
      (entry) => entry.action === 'request.refuse' && entry.orgId === orgId,
    );
    assert.equal(refused.length, 100);
  });

  test('lists pages of the entries with filters to owners, and exports them as JSON lines', async () => {
    const path = `/v1/organizations/${app.orgId}/audit`;
    type Entry = Record<'entry_id' | 'at' | 'action' | 'org_id' | 'org_name' | 'target_name', string>;
    type Listed = { data: Entry[]; next: string };
    const list = (query: string) => admin.ask<Listed>(200, 'GET', `${path}?${query}`);
    const first = await list('limit=3&action=key.create');
    assert.ok(first.data.every(({ action, org_id }) => action === 'key.create' && org_id === app.orgId));
    const rest = await list(`limit=3&action=key.create&after=${first.next}`);
    assert.ok(rest.data[0]!.entry_id < first.data.at(-1)!.entry_id);
    const { data: none } = await list('actor=nobody');
    assert.deepEqual(none, []);
    assert.deepEqual((await list(`entry_id=${rest.data[0]!.entry_id}`)).data, [rest.data[0]]);
    const lines = (await (await admin.send('GET', `${path}/export?action=key.create`)).text())
      .trimEnd()
      .split('\n');
    assert.deepEqual(JSON.parse(lines[0]!), first.data[0]);
    const { key } = await app.services.keys.create({ orgId: app.orgId, userId: 'u', name: 'Crawler 100%' });
    await app.services.limits.add(app.orgId, { keyId: key.keyId, unit: 'texts', window: 'day', amount: 7 });
    const textsOf = async (query: string) =>
      (await list(query)).data.map(({ action, target_name }) => `${action} ${target_name}`);
    const created = 'key.create Crawler 100%';
    const limited = 'limit.create texts per day for Crawler 100%';
    assert.deepEqual(await textsOf('text=crawler+100%25'), [limited, created]);
    assert.deepEqual(await textsOf('text=crawler&kind=key'), [created]);
    const all = await admin.ask<Listed>(200, 'GET', '/v1/audit?action=session.create&limit=1');
    assert.equal(all.data.length, 1);
    const { data } = await admin.ask<Listed>(200, 'GET', '/v1/audit?kind=session&limit=100');
    assert.ok(data.length > 1 && data.every(({ action }) => action.startsWith('session.')));
    assert.equal(first.data[0]?.org_name, (await app.services.organizations.get(app.orgId)).name);
    await admin.ask(400, 'GET', `${path}?from=9999-12-31T23:59:59-20:00`);
  });
});
