import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '../../../src/lib/ids.ts';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Operation = {
  operationId: string;
  parameters?: { in: string; name: string; required?: boolean }[];
  requestBody?: {
    content: Record<string, { example?: object; examples?: Record<string, { value: object }> }>;
  };
};

/** Routes that other APIs have too, whose clients send fields that are unknown here. */
const lenient = /embeddings|rerank|tokenize|\/batches|\/files|\/models/;
/** Public routes without parameters, to which proxies and probes add some. */
const open = /^\/(health|ready|metrics|v1\/auth\/options)$/;

describe('a field that a route of administration does not know', async () => {
  const app = untilEnd(await listeningApp());
  const page = await new Browser(app.address).signIn(app.administrator);
  const described = (await (await fetch(`${app.address}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const operations = Object.entries(described.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const path = template.replace(/\{(\w+)\}/g, (_, name) => (name === 'org_id' ? app.orgId : newId()));
      return { method: method.toUpperCase(), path, template, operation };
    }),
  );
  const administered = operations.filter(({ template }) => !lenient.test(template) && !open.test(template));
  const messageOf = async (response: Response): Promise<string> => {
    const body = (await response.json()) as { message: string };
    return `${response.status} ${body.message}`;
  };

  test('gets 400 with its name in a query', async () => {
    let count = 0;
    for (const { method, path, operation, template } of administered) {
      if (method !== 'GET' || template.includes('/auth/')) continue;
      const required = (operation.parameters ?? []).filter((one) => one.in === 'query' && one.required);
      const query = required.map(({ name }) => `${name}=2026-11-01&`).join('');
      const headers = template === '/v1/usage' ? { authorization: `Bearer ${app.key}` } : {};
      const said = await messageOf(await page.send('GET', `${path}?${query}made_up=1`, undefined, headers));
      assert.equal(said, '400 made_up is not known here', template);
      count += 1;
    }
    assert.ok(count >= 25, `${count} routes`);
  });

  test('gets 400 with its name in a body', async () => {
    let count = 0;
    for (const { method, path, operation, template } of administered) {
      if (method === 'GET') continue;
      const content = operation.requestBody?.content['application/json'];
      const example = content?.example ?? Object.values(content?.examples ?? {})[0]?.value;
      const said = await messageOf(await page.send(method, path, { ...example, made_up: 1 }));
      assert.equal(said, '400 made_up is not known here', `${method} ${template}`);
      count += 1;
    }
    assert.ok(count >= 45, `${count} routes`);
  });

  test('is ignored where clients of other APIs send it', async () => {
    const headers = { authorization: `Bearer ${app.key}` };
    for (const path of ['/openai/models', '/openai/v1/models', '/v1/models', '/openai/v1/files'])
      assert.equal((await fetch(`${app.address}${path}?api-version=preview`, { headers })).status, 200, path);
  });

  test('does not widen a limit or a key, and changes nothing', async () => {
    const org = `/v1/organizations/${app.orgId}`;
    const { data: before } = await page.ask<{ data: object[] }>(200, 'GET', `${org}/keys`);
    await page.ask(400, 'POST', `${org}/limits`, { unit: 'requests', window: 'day', amount: 5, key: 'x' });
    await page.ask(400, 'POST', `${org}/keys`, { name: 'x', expires_days: 3 });
    const [key] = before as { key_id: string }[];
    await page.ask(400, 'PATCH', `${org}/keys/${key!.key_id}`, { network: ['10.0.0.0/8'] });
    assert.deepEqual((await page.ask<{ data: object[] }>(200, 'GET', `${org}/keys`)).data, before);
    assert.deepEqual((await page.ask<{ data: object[] }>(200, 'GET', `${org}/limits`)).data, []);
  });
});
