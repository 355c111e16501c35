import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser } from '../../helpers/browser.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { startService } from '../../helpers/service.ts';

test('the log shows failed sign-ins as JSON and not as errors, without passwords, sessions, keys or texts', async () => {
  await using service = await startService({ environment: { LOG_LEVEL: 'debug', FORCE_COLOR: '1' } });
  const page = new Browser(service.address);
  const wrong = { email: 'nobody@example.com', password: 'not the password' };
  await page.ask(401, 'POST', '/v1/auth/sign-in', wrong);
  await page.ask(401, 'POST', '/v1/auth/sign-in', { ...wrong, email: 'no address' });
  await page.ask(401, 'POST', '/v1/auth/sign-in/totp', { code: '000000' });
  await page.ask(400, 'POST', '/v1/auth/password/reset', { token: 'none', new_password: wrong.password });
  for (const query of ['', '?code=x', '?code=x&state=y', '?error=access_denied', '?state=y&state=z']) {
    await page.send('GET', `/auth/callback/github${query}`);
  }
  const [, email = '', password = ''] = /Sign in +(\S+), password (\S+)/.exec(service.stdout()) ?? [];
  await page.signIn({ email, password });
  const secretText = 'a text that only its owner may read';
  await requestEmbeddings(service.address, service.key, secretText);
  await requestEmbeddings(service.address, `${service.key}0`, secretText);
  const session = page.cookie.split('=').at(-1)!;
  await service.stop();
  const lines = service.stderr().split('\n').filter(Boolean);
  assert.notEqual(lines.length, 0);
  for (const line of lines) {
    const { level } = JSON.parse(line) as { level: number };
    assert.ok(level < 50, line);
    for (const secret of [wrong.password, password, session, service.key, secretText]) {
      assert.ok(secret.length > 10 && !line.includes(secret), line);
    }
  }
});
