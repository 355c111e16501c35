import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Browser } from '../helpers/browser.ts';
import { eventually } from '../helpers/eventually.ts';
import { NotInstalled } from '../helpers/python.ts';
import { startService } from '../helpers/service.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { startWebhookReceiver } from '../helpers/webhook-receiver.ts';
import { programs } from './programs.ts';

const languages = process.env.LANGUAGES!.split(',');

describe('batches with OpenAI’s SDK', async () => {
  const receiver = untilEnd(await startWebhookReceiver());
  const service = untilEnd(await startService({ environment: { WEBHOOK_PRIVATE_ADDRESSES: 'allow' } }));
  const page = new Browser(service.address);
  await page.signIn(service.administrator);
  const targets = `/v1/organizations/${service.orgId}/alerts/targets`;
  const address = { kind: 'webhook', address: receiver.url };
  const { secret } = await page.ask<{ secret: string }>(201, 'POST', targets, address);
  const run = (language: string, args: readonly string[], variables: Record<string, string>) => {
    const { command, cwd } = programs[language]!.prepare();
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, ...variables };
    return promisify(execFile)(command, args, { cwd, env, timeout: 60_000 });
  };

  const scripts = { node: ['--no-warnings', 'batches.ts'], python: ['batches.py'] };
  for (const [language, args] of Object.entries(scripts)) {
    if (!languages.includes(language)) continue;
    it(`files and batches work unchanged (${language})`, async (t) => {
      try {
        await run(language, args, { BASE_URL: service.address, API_KEY: service.key });
      } catch (reason) {
        if (!(reason instanceof NotInstalled)) throw reason;
        t.skip(reason.message);
      }
    });
  }

  if (!languages.includes('node')) return;
  it('`webhooks.unwrap` verifies the notice of the batch', async () => {
    await eventually(() => receiver.received.length > 0);
    const [{ body, headers }] = receiver.received as [(typeof receiver.received)[number]];
    await run('node', ['--no-warnings', 'webhooks.ts'], {
      HOOK_SECRET: secret,
      HOOK_BODY: body,
      HOOK_HEADERS: JSON.stringify(headers),
    });
  });
});
