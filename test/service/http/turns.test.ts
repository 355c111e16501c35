import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { untilEnd } from '../../helpers/until-end.ts';

describe('long work for one organization', async () => {
  const app = untilEnd(await listeningApp());
  const { orgId } = await app.services.organizations.create({ name: 'Other' });
  const { secret: other } = await app.services.keys.create({
    orgId,
    userId: app.administrator.userId,
    name: 'other',
  });
  await (await requestEmbeddings(app.address, other, 'cached')).arrayBuffer();

  const post = (path: string, type: string, body: string) =>
    fetch(`${app.address}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.key}`, 'content-type': type },
      body,
    });
  const embed = (body: string) => post('/v1/embeddings', 'application/json', body);
  const repeated = (count: number, part: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => part(i)).join('');
  const field = (i: number) =>
    `--b\r\nContent-Disposition: form-data; name="f${i}"\r\n\r\n${'x'.repeat(10)}\r\n`;

  const works: Record<string, { send: () => Promise<Response>; status: number }> = {
    'bodies with thousands of names': {
      send: () => embed(`{${repeated(6_000, (i) => `"k${i}":1,`)}"input":"cached"}`),
      status: 200,
    },
    'forms with hundreds of fields': {
      send: () => post('/v1/files', 'multipart/form-data; boundary=b', `${repeated(800, field)}--b--\r\n`),
      status: 400,
    },
  };
  for (const [name, { send, status }] of Object.entries(works)) {
    test(`${name} let the requests of others go first`, async () => {
      const order: string[] = [];
      const finish = async (who: string, sent: Promise<Response>, expected: number) => {
        const response = await sent;
        await response.arrayBuffer();
        assert.equal(response.status, expected);
        order.push(who);
      };
      await Promise.all([
        ...Array.from({ length: 16 }, () => finish('long', send(), status)),
        finish('other', requestEmbeddings(app.address, other, 'cached'), 200),
      ]);
      assert.ok(order.indexOf('other') < 8, String(order));
    });
  }
});
