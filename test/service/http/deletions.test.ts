import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type ListeningApp, listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';

/** Long enough for the service to have read the headers. A shorter wait would test less, but never fail. */
const headersReadMs = 200;

describe('organizations that are deleted while a request about them arrives', () => {
  let app: ListeningApp;
  let page: Browser;
  before(async () => {
    app = await listeningApp();
    page = await new Browser(app.address).signIn(app.administrator);
  });
  after(() => app[Symbol.asyncDispose]());

  /** Sends the headers, has the organization deleted, and then sends the body. */
  const sentAround = async (method: string, path: string, body: object) => {
    const organization = { name: 'Short-lived' };
    const { org_id } = await page.ask<{ org_id: string }>(201, 'POST', '/v1/organizations', organization);
    const sending = request(`${app.address}/v1/organizations/${org_id}${path && `/${path}`}`, {
      method,
      headers: { origin: app.address, cookie: page.cookie, 'content-type': 'application/json' },
    });
    sending.flushHeaders();
    await setTimeout(headersReadMs);
    await page.ask(204, 'DELETE', `/v1/organizations/${org_id}`);
    sending.end(JSON.stringify(body));
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    return { status: response.statusCode, error: ((await json(response)) as { error?: string }).error };
  };

  for (const [method, path, body] of [
    ['POST', 'invitations', { email: 'i@example.com', role: 'member' }],
    ['POST', 'alerts/targets', { kind: 'webhook', address: 'https://example.com/' }],
    ['PUT', 'alerts/settings', { thresholds: [80], projection: true }],
    ['POST', 'embeddings', { input: 'a text' }],
    ['POST', 'keys', { name: 'late' }],
    ['PATCH', '', { name: 'Late' }],
  ] as const) {
    test(`${method} /${path} gets 404`, async () => {
      const answer = await sentAround(method, path, body);
      assert.deepEqual(answer, { status: 404, error: 'not_found' });
    });
  }
});
