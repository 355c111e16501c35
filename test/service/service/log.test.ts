import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import fastify from 'fastify';
import pino from 'pino';
import { readConfig } from '../../../src/config/config.ts';
import { unavailable } from '../../../src/errors.ts';
import type { App } from '../../../src/http/app-types.ts';
import { errorHandler } from '../../../src/http/plugins/error-handler.ts';
import { openLog } from '../../../src/service/log.ts';
import { Browser } from '../../helpers/browser.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { startService } from '../../helpers/service.ts';

/** Returns a log on a terminal, and what it wrote, without the times. */
function logOnTerminal() {
  const written: string[] = [];
  const write = (text: string) => written.push(text.replace(/\d\d:\d\d:\d\d /, '')) > 0;
  return { log: openLog('info', { isTTY: true, write }), written };
}

describe('the log', () => {
  it('is lines of time, message and details on a terminal', () => {
    const { log, written } = logOnTerminal();
    log.info({ model: 'm', signal: null }, 'serving');
    log.warn({ err: unavailable(new Error('no route')) }, 'a mail was not sent');
    log.error({ reqId: 'r', err: new Error('a defect') }, 'internal_error');
    assert.deepEqual(written.slice(0, 2), [
      'serving model=m signal=null\n',
      'warn: a mail was not sent (no route)\n',
    ]);
    assert.match(written[2] ?? '', /^error: internal_error reqId=r \nError: a defect\n +at /);
  });

  it('sends a terminal no control characters of others', () => {
    const { log, written } = logOnTerminal();
    log.info({ name: '\x1b]0;title\x07' }, 'a\x1b[2J');
    assert.deepEqual(written, ['a\uFFFD[2J name=\uFFFD]0;title\uFFFD\n']);
  });

  it('keeps a value with a line break on its own line', () => {
    const { log, written } = logOnTerminal();
    log.info({ name: 'a\n12:00:00 error: invented' }, 'named');
    assert.deepEqual(written, ['named name="a\\n12:00:00 error: invented"\n']);
  });

  it('is JSON with ISO times elsewhere, without passwords, sessions, keys or texts, and names misspelled settings', async () => {
    const environment = { LOG_LEVEL: 'debug', FORCE_COLOR: '1', CACHE_MEMROY_MB: '1' };
    await using service = await startService({ environment });
    const page = new Browser(service.address);
    const wrong = { email: 'nobody@example.com', password: 'not the password' };
    await page.ask(401, 'POST', '/v1/auth/sign-in', wrong);
    await page.ask(401, 'POST', '/v1/auth/sign-in', { ...wrong, email: 'no address' });
    await page.ask(401, 'POST', '/v1/auth/sign-in/totp', { code: '000000' });
    await page.ask(400, 'POST', '/v1/auth/password/reset', { token: 'none', new_password: wrong.password });
    for (const query of ['', '?code=x', '?code=x&state=y', '?error=access_denied', '?state=y&state=z']) {
      await page.send('GET', `/auth/callback/github${query}`);
    }
    await page.signIn(service.administrator);
    const secretText = 'a text that only its owner may read';
    await requestEmbeddings(service.address, service.key, secretText);
    await requestEmbeddings(service.address, `${service.key}0`, secretText);
    const session = page.cookie.split('=').at(-1)!;
    await service.stop();
    const lines = service.stderr().split('\n').filter(Boolean);
    const messages: string[] = [];
    for (const line of lines) {
      const { level, severity, time, msg } = JSON.parse(line) as {
        level: number;
        severity: string;
        time: string;
        msg: string;
      };
      assert.ok(level < 50, line);
      assert.equal(severity, level === 40 ? 'WARNING' : level === 30 ? 'INFO' : 'DEBUG');
      assert.equal(new Date(time).toISOString(), time);
      messages.push(msg);
      for (const secret of [
        wrong.password,
        service.administrator.password,
        session,
        service.key,
        secretText,
      ]) {
        assert.ok(secret.length > 10 && !line.includes(secret), line);
      }
    }
    const serving = JSON.parse(lines.find((line) => line.includes('"serving"'))!) as Record<string, unknown>;
    const { model, dtype, dimensions, max_tokens, heads, longest_text_mb: longest } = serving;
    assert.deepEqual(
      { model, dtype, dimensions, max_tokens, heads },
      { model: 'all-MiniLM-L6-v2', dtype: 'int8', dimensions: 384, max_tokens: 256, heads: 12 },
    );
    assert.ok(Number(longest) > 0);
    assert.ok(messages.includes('CACHE_MEMROY_MB is not a setting: did you mean CACHE_MEMORY_MB?'));
  });
});

test('an outage logs ten failed requests a second, and how many it left out', async (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const lines: { omitted?: number; msg: string }[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  const app = fastify();
  errorHandler(app as unknown as App, log, readConfig({}));
  app.get('/', () => {
    throw unavailable(new Error('ECONNREFUSED'));
  });
  for (const [second, requests] of [25, 1].entries()) {
    nowMs = (second + 1) * 1_000;
    for (let i = 0; i < requests; i += 1) assert.equal((await app.inject('/')).statusCode, 503);
  }
  await app.close();
  const told = lines.map(({ msg, omitted }) => omitted ?? msg);
  assert.deepEqual(told, [...Array(10).fill('unavailable'), 15, 'unavailable']);
});
