import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { ConfigError, readConfig } from '../../../src/config/config.ts';

test('without variables, every setting has its documented default', () => {
  const config = readConfig({});
  assert.equal(config.host, '127.0.0.1');
  assert.equal(config.port, 8080);
  assert.match(config.dataDir, /\/data$/);
  assert.equal(config.postgres, null);
  assert.deepEqual(
    config.models.map(({ name }) => name),
    ['universal-sentence-encoder-lite'],
  );
  assert.equal(config.bootstrap, true);
  assert.ok(Object.isFrozen(config));
  assert.deepEqual(readConfig({ PORT: '', LOG_LEVEL: ' ' }), config);
});

test('an invalid setting of the engines is refused also if an upstream computes the vectors', () => {
  const environment = {
    EMBEDDING_UPSTREAM_URL: 'http://127.0.0.1:9/v1',
    EMBEDDING_UPSTREAM_MODEL: 'm',
    EMBEDDING_WORKERS: 'many',
  };
  assert.throws(() => readConfig(environment), /^ConfigError: EMBEDDING_WORKERS: "many" is not/);
});

test('a wrong value gives one line that names the variable, the error and an example', () => {
  const wrong: [string, string, RegExp][] = [
    ['PORT', 'http', /^PORT: "http" is not a whole number from 0 to 65535; for example PORT=8080$/],
    ['PORT', '65536', /^PORT: /],
    ['PORT', '-1', /^PORT: /],
    ['EMBEDDING_WORKERS', '0', /^EMBEDDING_WORKERS: .*for example/],
    ['EMBEDDING_THREADS', '1.5', /^EMBEDDING_THREADS: .*for example/],
    ['EMBEDDING_MODEL', './no-such-directory', /^EMBEDDING_MODEL: .*for example/],
    ['AUTH_SECRET', 'short', /^AUTH_SECRET: has 5 bytes but needs 32 or more; for example/],
    ['PUBLIC_URL', 'embed.example.com', /^PUBLIC_URL: .*for example PUBLIC_URL=https:/],
    ['LOG_LEVEL', 'loud', /^LOG_LEVEL: "loud" is not one of .*for example LOG_LEVEL=info$/],
    ['EMBEDGATE_BOOTSTRAP', 'no', /^EMBEDGATE_BOOTSTRAP: .*for example/],
    ['ERROR_FORMAT', 'xml', /^ERROR_FORMAT: .*for example/],
    ['CACHE_MEMORY_MB', '0', /^CACHE_MEMORY_MB: .*for example/],
    [
      'ADMIN_EMAIL',
      'jürgen@exämple.com',
      /^ADMIN_EMAIL: "jürgen@exämple.com" can't sign in: .*; for example/,
    ],
    ['ADMIN_EMAIL', 'a..b@example.com', /^ADMIN_EMAIL: .* can't sign in/],
    ['ADMIN_EMAIL', `${'a'.repeat(300)}@example.com`, /^ADMIN_EMAIL: .* at most 254 characters/],
    ['DATABASE_URL', 'mysql://db/embedgate', /^DATABASE_URL: is not a postgres:\/\/ address; for example/],
    ['DATABASE_LISTEN_URL', 'db.internal', /^DATABASE_LISTEN_URL: is not .*for example DATABASE_LISTEN_URL=/],
    ['DATABASE_POOL_SIZE', '2', /^DATABASE_POOL_SIZE: "2" is not a whole number from 4 to 1000; for example/],
  ];
  for (const [name, value, message] of wrong) {
    assert.throws(
      () => readConfig({ [name]: value }),
      (reason) => {
        assert.ok(reason instanceof ConfigError);
        assert.match(reason.message, message);
        assert.ok(!reason.message.includes('\n'));
        return true;
      },
    );
  }
});

test('a secret that is too short is not repeated', () => {
  assert.throws(
    () => readConfig({ AUTH_SECRET: 'hunter2' }),
    (reason) => !String(reason).includes('hunter2'),
  );
});

const secrets = { SIGNING_KEY: '/etc/embedgate/signing-key.pem', AUTH_SECRET: 'a'.repeat(32) };

test('a Postgres is recognized by its address, and requires the secrets that replicas share', () => {
  for (const url of [
    'postgres://db/embedgate',
    'postgresql://embedgate:p%40ss@[::1]:5433/embedgate?sslmode=verify-full',
    'postgres:///embedgate?host=/var/run/postgresql',
    'postgres://embedgate:pass@/embedgate?host=/var/run/postgresql',
  ]) {
    const { postgres } = readConfig({ ...secrets, DATABASE_URL: url });
    assert.deepEqual(postgres, { url, listenUrl: null, poolSize: 10 });
    for (const missing of ['SIGNING_KEY', 'AUTH_SECRET']) {
      assert.throws(() => readConfig({ ...secrets, DATABASE_URL: url, [missing]: '' }), {
        name: 'ConfigError',
        message: new RegExp(`^${missing}: is required with DATABASE_URL, .*; for example ${missing}=`),
      });
    }
  }
});

test('a password in an unusable address is not repeated', () => {
  for (const url of [
    'postgres://embedgate:hunter2',
    'postgre://embedgate:hunter2@db/embedgate',
    'postgres://embedgate:hunter2%zz@db/embedgate',
    'postgres://embedgate:hunter2@db:none/embedgate',
  ]) {
    assert.throws(
      () => readConfig({ ...secrets, DATABASE_URL: url }),
      (reason) => reason instanceof ConfigError && !inspect(reason).includes('hunter2'),
    );
  }
});
