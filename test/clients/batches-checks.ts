import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Browser } from '../helpers/browser.ts';
import { eventually } from '../helpers/eventually.ts';
import { startService } from '../helpers/service.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { startWebhookReceiver } from '../helpers/webhook-receiver.ts';
import { programs } from './programs.ts';

describe('batches with OpenAI’s SDK', async () => {
  const { command, cwd } = programs.node!.prepare();
  const receiver = untilEnd(await startWebhookReceiver());
  const service = untilEnd(await startService({ environment: { WEBHOOK_PRIVATE_ADDRESSES: 'allow' } }));
  const page = new Browser(service.address);
  await page.signIn(service.administrator);
  const targets = `/v1/organizations/${service.orgId}/alerts/targets`;
  const address = { kind: 'webhook', address: receiver.url };
  const { secret } = await page.ask<{ secret: string }>(201, 'POST', targets, address);
  const run = (script: string, variables: Record<string, string>) => {
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, ...variables };
    return promisify(execFile)(command, ['--no-warnings', script], { cwd, env, timeout: 60_000 });
  };

  it('files, uploads and batches work unchanged', async () => {
    await run('batches.ts', { BASE_URL: service.address, API_KEY: service.key });
  });

  it('`webhooks.unwrap` verifies the notice of the batch', async () => {
    await eventually(() => receiver.received.length === 1);
    const [{ body, headers }] = receiver.received as [(typeof receiver.received)[number]];
    await run('webhooks.ts', {
      HOOK_SECRET: secret,
      HOOK_BODY: body,
      HOOK_HEADERS: JSON.stringify(headers),
    });
  });
});
