import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ConfigError, readConfig } from '../../../src/config/config.ts';
import { readHubSettings } from '../../../src/config/models.ts';
import { sections } from '../../../src/config/settings.ts';
import { keyringOf } from '../../../src/service/core.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { embedgate } from '../../helpers/embedgate.ts';

describe('a secret in a file', () => {
  const directory = temporaryDirectory();
  after(() => directory[Symbol.dispose]());
  const fileWith = (name: string, text: string): string => {
    writeFileSync(join(directory.path, name), text);
    return join(directory.path, name);
  };

  it('is read like one in the environment, without the end of its last line', () => {
    const config = readConfig({
      DATABASE_URL_FILE: fileWith('url', 'postgres://embedgate:secret@db/embedgate\n'),
      SIGNING_KEY_FILE: fileWith('key', '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----\n'),
      AUTH_SECRET_FILE: fileWith('auth', `${'a'.repeat(32)}\r\n`),
      METRICS_TOKEN_FILE: fileWith('metrics', 'token\n'),
      HF_TOKEN_FILE: fileWith('hub', 'hf_token\n'),
    });
    assert.equal(config.postgres?.url, 'postgres://embedgate:secret@db/embedgate');
    assert.equal(config.signingKey, '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----');
    assert.equal(config.authSecret, 'a'.repeat(32));
    assert.equal(config.metricsToken, 'token');
    assert.equal(config.hub.token, 'hf_token');
    assert.equal(readHubSettings({ HF_TOKEN_FILE: join(directory.path, 'hub') }).token, 'hf_token');
  });

  it('can be every secret, and no other setting', () => {
    const secret = /_(URL|SECRET|TOKEN|KEY)$|^WEBHOOK_PROXY$/;
    const notSecret = ['PUBLIC_URL', 'EMBEDDING_UPSTREAM_URL', 'RERANK_UPSTREAM_URL', 'FILES_URL'];
    for (const { name, isSecret } of sections.flat())
      assert.equal(isSecret, secret.test(name) && !notSecret.includes(name), name);
  });

  it('is refused with one line if it is also in the environment, missing or empty', () => {
    const messageOf = (environment: Record<string, string>): string => {
      try {
        readConfig(environment);
      } catch (reason) {
        assert.ok(reason instanceof ConfigError);
        return reason.message;
      }
      return assert.fail('not refused');
    };
    assert.match(
      messageOf({ SMTP_URL: 'smtp://hunter2', SMTP_URL_FILE: fileWith('smtp', 'smtp://hunter3') }),
      /^SMTP_URL_FILE: SMTP_URL is set too; set only one of them, for example SMTP_URL_FILE=\/run\/secrets\/smtp_url$/,
    );
    assert.match(
      messageOf({ AUTH_SECRET_FILE: join(directory.path, 'none') }),
      /^AUTH_SECRET_FILE: ".*none" can't be read \(ENOENT\); for example AUTH_SECRET_FILE=/,
    );
    assert.match(
      messageOf({ AUTH_SECRET_FILE: fileWith('empty', '\n') }),
      /^AUTH_SECRET_FILE: ".*" is empty; /,
    );
  });

  it('names the target of a move', async () => {
    const to = fileWith('target', 'postgres://127.0.0.1:9/embedgate');
    const { stderr } = await embedgate(['migrate', '--from', `sqlite:${directory.path}/embedgate.db`], {
      DATABASE_URL_FILE: to,
    });
    assert.match(stderr, /SIGNING_KEY: is required with DATABASE_URL/);
  });
});

describe('a file of a secret that cannot be read', () => {
  const core = fileURLToPath(new URL('../../../src/service/core.ts', import.meta.url));
  const nobody = 65_534;
  for (const [name, check] of Object.entries({
    'auth-secret': 'checkAuthSecret',
    'signing-key.pem': 'keyringOf',
  }))
    it(`is named with its owner: ${name}`, { skip: process.getuid?.() !== 0 }, async () => {
      using directory = temporaryDirectory();
      const path = join(directory.path, name);
      writeFileSync(path, 'x'.repeat(64), { mode: 0o600 });
      chownSync(directory.path, nobody, nobody);
      const config = JSON.stringify({ dataDir: directory.path, authSecret: null, signingKey: null });
      const program = `import { ${check} } from '${core}';
        try { ${check}(${config}); } catch ({ message }) { console.log(message); }`;
      const options = ['--no-warnings', '--input-type=module', '--eval', program];
      const { stdout } = await promisify(execFile)(process.execPath, options, { uid: nobody, cwd: '/' });
      const line = `${name} in DATA_DIR can't be read: EACCES: permission denied, open '${path}'`;
      assert.ok(stdout.startsWith(`${line} (${path} belongs to user 0, and this is user ${nobody})`), stdout);
    });

  it('is named by its setting if it is a directory', () => {
    using directory = temporaryDirectory();
    const config = readConfig({ SIGNING_KEY: directory.path });
    assert.throws(() => keyringOf(config), /^ConfigError: SIGNING_KEY can't be read: EISDIR/);
  });
});

describe('a misspelled setting', () => {
  it('is named with the setting that it resembles', () => {
    const found = (...variables: string[]) =>
      readConfig(Object.fromEntries(variables.map((name) => [name, 'x']))).misspelled.map(
        ({ variable, setting }) => `${variable}: ${setting}`,
      );
    assert.deepEqual(found('EMBEDING_MODEL', 'CACHE_MEMROY_MB', 'MAX_QUEUE_TOKEN', 'OIDC_ISSUERS'), [
      'EMBEDING_MODEL: EMBEDDING_MODEL',
      'CACHE_MEMROY_MB: CACHE_MEMORY_MB',
      'MAX_QUEUE_TOKEN: MAX_QUEUE_TOKENS',
      'OIDC_ISSUERS: OIDC_ISSUER',
    ]);
    assert.deepEqual(found('TRUSTED_PROXY', 'PORTS', 'EMBEDGATE_DATA_DIR'), [
      'TRUSTED_PROXY: TRUSTED_PROXIES',
      'PORTS: PORT',
      'EMBEDGATE_DATA_DIR: DATA_DIR',
    ]);
    assert.deepEqual(found('DATABASE_URL_FIEL'), ['DATABASE_URL_FIEL: DATABASE_URL_FILE']);
  });

  it('still works if an earlier release called it so, which is no misspelling, unless its present name is set too', () => {
    const former = { LISTEN_PORT: 'PORT', CACHE_MEMORY_MBS: 'CACHE_MEMORY_MB' };
    const { port, renamed, misspelled } = readConfig({ LISTEN_PORT: '81', CACHE_MEMORY_MBS: '10' }, former);
    assert.deepEqual([port, misspelled], [81, []]);
    assert.deepEqual(renamed[0], { variable: 'LISTEN_PORT', setting: 'PORT' });
    assert.equal(readConfig({ LISTEN_PORT: '81', PORT: '82' }, former).port, 82);
    assert.equal(readConfig({ LISTEN_PORT: '81', PORT: '' }, former).port, 81);
  });

  it('says so if the quotes of an env file are the reason', () => {
    assert.throws(() => readConfig({ LOG_LEVEL: '"warn"' }), {
      message: /^LOG_LEVEL: ""warn"" .*, with its quotes; /,
    });
  });

  it('is no variable of another program', () => {
    const others = [
      'HOME',
      'PATH',
      'EMBEDGATE_PORT',
      'HOSTNAME',
      'HTTP_PROXY',
      'NO_PROXY',
      'NODE_OPTIONS',
      'EMBEDGATE_KEY',
    ];
    const environment = Object.fromEntries([...others, 'LOGNAME', 'USER', 'TZ'].map((name) => [name, 'x']));
    assert.deepEqual(readConfig(environment).misspelled, []);
  });
});
