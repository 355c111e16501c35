import assert from 'node:assert/strict';
import { chmodSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { embedgate, embedgateJson, runCommand } from '../../helpers/embedgate.ts';
import { eventually } from '../../helpers/eventually.ts';
import { newPem } from '../../helpers/replicas.ts';
import { requestEmbeddings, statusWith } from '../../helpers/requests.ts';
import { startService } from '../../helpers/service.ts';

describe('the secrets in the data directory', () => {
  it('are never replaced in silence: a start and a command name the ways back from a lost signing key', async () => {
    using directory = temporaryDirectory();
    const dataDir = directory.path;
    const file = join(dataDir, 'signing-key.pem');
    const first = await startService({ dataDir });
    const { key, orgId, environment } = first;
    const create = ['keys', 'create', '--user-id', 'ada', '--org-id', orgId, '--name', 'new'];
    const refused = async (args: string[], message: RegExp) => {
      const { code, stderr } = await runCommand(args, environment);
      assert.equal(code, 1);
      assert.match(stderr, message);
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
    };
    const waysBack = /Put it back from a backup, or .* "embedgate signing-key reissue --trust-database"$/m;

    renameSync(file, `${file}.aside`);
    await refused(create, waysBack);
    assert.equal(await statusWith(first.address, key), 200);
    assert.equal((await first.stop()).code, 0);
    await refused(['serve'], waysBack);

    renameSync(`${file}.aside`, file);
    chmodSync(file, 0o644);
    assert.equal((await runCommand(create, environment)).code, 0);
    assert.equal(statSync(file).mode & 0o777, 0o600);

    rmSync(file);
    writeFileSync(file, newPem());
    await refused(['serve'], /^embedgate: The signing key is another one: .*--trust-database/);
    const { code, stdout } = await runCommand(['signing-key', 'reissue', '--trust-database'], environment);
    assert.deepEqual([code, stdout.trim()], [0, 'Re-signed 2 tokens.']);
    const orphan = ['--default-model', 'nope', '--model', 'nope', '--model', 'gone'];
    assert.equal((await runCommand([...create, ...orphan], environment)).code, 0);
    await using again = await startService({ dataDir });
    assert.equal(await statusWith(again.address, key), 200);
    assert.match(again.stderr(), /1 of 3 API keys name models that are not served, such as nope, gone/);
  });

  it('a start without the lost auth-secret stops, and one with another says what it costs and keeps it private', async () => {
    using directory = temporaryDirectory();
    const dataDir = directory.path;
    const first = await startService({ dataDir });
    await first.stop();
    const file = join(dataDir, 'auth-secret');
    rmSync(file);
    const { code, stderr } = await runCommand(['serve'], first.environment);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^embedgate: auth-secret in DATA_DIR is missing: put it back from a backup, or write/,
    );
    writeFileSync(file, 'x'.repeat(64));
    chmodSync(file, 0o644);
    await using again = await startService({ dataDir });
    assert.equal(statSync(file).mode & 0o777, 0o600);
    await eventually(() =>
      again.stderr().includes('AUTH_SECRET is another one than before: everyone has to sign in again'),
    );
    assert.equal((await requestEmbeddings(again.address, first.key, 'a')).status, 200);
  });
});

describe('a leaked key', () => {
  it('is found by itself and by its hint, and never printed', async () => {
    using directory = temporaryDirectory();
    const environment = { DATA_DIR: directory.path };
    const json = (...args: string[]) => embedgateJson<Record<string, string>>(args, environment);
    const { org_id: orgId = '' } = await json('orgs', 'create', '--name', 'Acme');
    const { key = '' } = await json('create', '--user-id', 'ada', '--org-id', orgId, '--name', 'leaked');
    const hint = `sk_…${key.slice(-4)}`;
    const byHint = await runCommand(['keys', 'find', '--hint', hint], environment);
    assert.equal(byHint.code, 0);
    assert.ok(byHint.stdout.includes(orgId) && byHint.stdout.includes(hint) && !byHint.stdout.includes(key));
    const find = (input: string) => embedgate(['keys', 'find'], environment, undefined, input);
    const log = await find(`found "Bearer ${key}" in a log\nand sk_${'0'.repeat(64)}\n`);
    assert.ok(log.code === 0 && log.stdout.includes(orgId) && !log.stdout.includes(key));
    const unknown = await find(`sk_${'0'.repeat(64)}`);
    assert.deepEqual([unknown.code, unknown.stderr], [1, 'embedgate: No API key matches\n']);
    assert.match((await find('')).stderr, /There is no API key in standard input/);
  });
});

describe('signals', () => {
  it('SIGHUP ends the service as SIGTERM does, and SIGUSR1 and SIGUSR2 change nothing', async () => {
    await using service = await startService({ environment: { LOG_LEVEL: 'info' } });
    for (const signal of ['SIGUSR1', 'SIGUSR2']) process.kill(service.pid, signal);
    assert.equal((await requestEmbeddings(service.address, service.key, 'a')).status, 200);
    assert.deepEqual(await service.kill('SIGHUP'), { code: 0, signal: null });
    assert.match(service.stderr(), /"signal":"SIGHUP","msg":"stopping"/);
    assert.doesNotMatch(service.stderr(), /[Dd]ebugger/);
  });
});
