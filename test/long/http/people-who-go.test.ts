import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pages, tableUnder } from '../../docs/markdown.ts';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startOidcProvider } from '../../helpers/oidc-provider.ts';
import { requestEmbeddings, statusWith } from '../../helpers/requests.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Outcome = 'stay' | 'go' | 'some go' | 'on hold';
type List<T> = { data: T[] };

const publicUrl = 'http://embedgate.test';
const documentation = pages().find(({ path }) => path === 'docs/accounts.md')!;
const documented = tableUnder(documentation, 'Removing people');

describe('the table of docs/accounts.md on what happens when people leave', async () => {
  /** For each event, in the order of the columns, the outcome by row. */
  const observed: Record<string, Outcome>[] = [];
  const provider = untilEnd(await startOidcProvider());
  const app = untilEnd(
    await listeningApp({
      environment: { PUBLIC_URL: publicUrl, ...provider.environment },
    }),
  );
  const browser = () => new Browser(app.address, publicUrl);
  const root = await browser().signIn(app.administrator);
  type Subject = Awaited<ReturnType<typeof newSubject>>;

  /** Returns where the provider sends the browser. */
  const comeByProvider = async (page: Browser, email: string): Promise<string> => {
    provider.person = { sub: email, email, email_verified: true, name: 'Subject' };
    const path = '/v1/auth/sign-in/provider';
    const { url } = await page.ask<{ url: string }>(200, 'POST', path, { provider: 'oidc' });
    const response = await page.send('GET', `/auth/callback/oidc?${provider.consent(url)}`);
    return response.headers.get('location') ?? '';
  };

  const tokenOf = ({ url }: { url: string }) => url.split('#token=')[1];
  const newOrganization = async () => {
    const body = { name: 'Acme', tier: 'enterprise', limit: 2, window: 'month' };
    const { org_id } = await root.ask<{ org_id: string }>(201, 'POST', '/v1/organizations', body);
    return `/v1/organizations/${org_id}`;
  };

  /** A member of an organization that has another owner, with everything that a member can have. */
  async function newSubject(email: string, { isAdmin }: { isAdmin: boolean }) {
    const { users, members } = app.services;
    const { user, password } = await users.create({ email, isAdmin, emailVerified: true });
    const { userId } = user;
    const org = await newOrganization();
    await members.add(org.split('/').at(-1)!, userId, isAdmin ? 'admin' : 'owner');
    const page = await browser().signIn({ email, password });
    assert.equal(await comeByProvider(browser(), email), '/organizations');
    const { key } = await page.ask<{ key: string }>(201, 'POST', `${org}/keys`, { name: 'their key' });
    const sent = await Promise.all(
      ['owner', 'member'].map(async (role) => {
        const body = { email: `${role}-of-${email}`, role };
        return tokenOf(await page.ask<{ url: string }>(201, 'POST', `${org}/invitations`, body));
      }),
    );
    const other = await newOrganization();
    const body = { email, role: 'viewer' };
    const received = tokenOf(await root.ask<{ url: string }>(201, 'POST', `${other}/invitations`, body));
    const reset = tokenOf(await root.ask<{ url: string }>(201, 'POST', `/v1/users/${userId}/password-reset`));
    const target = { kind: 'webhook', address: 'https://example.com/' };
    await page.ask(201, 'POST', `${org}/alerts/targets`, target);
    await requestEmbeddings(app.address, key, 'a text');
    let alerts: { alert_id: string }[] = [];
    await eventually(async () => {
      alerts = (await page.ask<List<{ alert_id: string }>>(200, 'GET', `${org}/alerts`)).data;
      return alerts.length > 0;
    });
    await page.ask(200, 'POST', `${org}/alerts/${alerts[0]?.alert_id}/acknowledge`);
    return { userId, email, password, org, page, key, sent, received, reset };
  }

  /** The order matters: no check changes what a later one looks at. */
  async function observe(subject: Subject): Promise<Record<string, Outcome>> {
    const { userId, email, password, org, page, key, sent, received, reset } = subject;
    const listed = async (path: string, isTheirs: (entry: Record<string, unknown>) => boolean) => {
      const response = await root.send('GET', `${org}/${path}`);
      if (response.status === 404) return 'go';
      return ((await response.json()) as List<Record<string, unknown>>).data.some(isTheirs) ? 'stay' : 'go';
    };
    const outcomes: Record<string, Outcome> = {};
    outcomes.sessions = (await page.send('GET', '/v1/me')).status === 200 ? 'stay' : 'go';
    outcomes['API keys they have created'] = (await statusWith(app.address, key)) === 200 ? 'stay' : 'go';
    outcomes.memberships = await listed('members', ({ user_id }) => user_id === userId);
    outcomes['notification channels they have added'] = await listed(
      'alerts/targets',
      ({ created_by }) => created_by === userId,
    );
    outcomes['alerts they have acknowledged'] = await listed(
      'alerts',
      ({ acknowledged_by }) => acknowledged_by === userId,
    );
    const listedSent = await listed('invitations', ({ invited_by }) => invited_by === userId);
    let accepted = 0;
    for (const token of sent) {
      const guest = { token, name: 'Guest', password: 'a long password' };
      if ((await browser().send('POST', '/v1/invitations/accept', guest)).status === 200) accepted += 1;
    }
    assert.equal(listedSent, accepted > 0 ? 'stay' : 'go');
    outcomes['invitations they have sent'] = (['go', 'some go', 'stay'] as const)[accepted]!;

    const signIn = async () => (await browser().send('POST', '/v1/auth/sign-in', { email, password })).status;
    const provided = browser();
    const byProvider = async () => {
      if ((await comeByProvider(provided, email)) !== '/organizations') return false;
      // The invitation lets a deleted user create another account.
      return (await provided.ask<{ user_id: string }>(200, 'GET', '/v1/me')).user_id === userId;
    };
    const held = (await signIn()) === 403;
    if (held) {
      assert.match(await comeByProvider(browser(), email), /\/login\?error=ACCOUNT_DISABLED/);
      const wrong = { email, password: 'a wrong password' };
      assert.equal((await browser().send('POST', '/v1/auth/sign-in', wrong)).status, 401);
      assert.equal((await page.send('POST', '/v1/invitations/accept', { token: received })).status, 401);
      const fresh = { token: received, name: 'Again', password: 'a long password' };
      assert.equal((await browser().send('POST', '/v1/invitations/accept', fresh)).status, 400);
      await root.ask(400, 'POST', `/v1/users/${userId}/password-reset`);
      await root.ask(200, 'PATCH', `/v1/users/${userId}`, { disabled: false });
    }
    const comes = [(await signIn()) === 200, await byProvider()];
    assert.equal(comes[0], comes[1]);
    const credentials = 'password and links to providers';
    outcomes[credentials] = comes[0] ? (held ? 'on hold' : 'stay') : 'go';
    const newPassword = { token: reset, new_password: 'a new password' };
    const isReset = (await browser().send('POST', '/v1/auth/password/reset', newPassword)).status === 204;
    outcomes['reset links'] = isReset ? 'stay' : 'go';

    const again = comes[0]
      ? await browser().signIn({ email, password: isReset ? newPassword.new_password : password })
      : provided;
    const joined = await again.send('POST', '/v1/invitations/accept', { token: received });
    outcomes['invitations to their address'] = joined.status === 200 ? (held ? 'on hold' : 'stay') : 'go';
    return outcomes;
  }

  const events = [
    async ({ org, userId }: Subject) => root.ask(204, 'DELETE', `${org}/members/${userId}`),
    async ({ org, userId }: Subject) => root.ask(200, 'PATCH', `${org}/members/${userId}`, { role: 'admin' }),
    async ({ userId }: Subject) => root.ask(200, 'PATCH', `/v1/users/${userId}`, { is_admin: false }),
    async ({ userId }: Subject) => root.ask(200, 'PATCH', `/v1/users/${userId}`, { disabled: true }),
    async ({ userId }: Subject) => root.ask(204, 'DELETE', `/v1/users/${userId}`),
    async ({ org }: Subject) => root.ask(204, 'DELETE', org),
  ];
  for (const [number, happen] of events.entries()) {
    const subject = await newSubject(`subject${number}@example.com`, { isAdmin: number === 2 });
    await happen(subject);
    observed.push(await observe(subject));
  }

  for (const [row = '', ...cells] of documented) {
    test(row, () => {
      assert.deepEqual(
        observed.map((outcomes) => outcomes[row]),
        cells,
      );
    });
  }

  test('the table has every row that is checked', () => {
    for (const outcomes of observed) {
      assert.deepEqual(Object.keys(outcomes).sort(), documented.map(([row]) => row).sort());
    }
  });
});
