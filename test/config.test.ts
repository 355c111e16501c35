import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from '../src/config.ts';

test('without a variable set, everything has its documented default', () => {
  const config = readConfig({});
  assert.equal(config.host, '127.0.0.1');
  assert.equal(config.port, 8080);
  assert.match(config.dataDir, /\/data$/);
  assert.equal(config.modelDirectory, null);
  assert.equal(config.bootstrap, true);
  assert.ok(Object.isFrozen(config));
  assert.deepEqual(readConfig({ PORT: '', LOG_LEVEL: ' ' }), config);
});

test('a wrong value is one line that names the variable, its fault and an example', () => {
  const wrong: [string, string, RegExp][] = [
    ['PORT', 'http', /^PORT: "http" is not a whole number from 0 to 65535; for example PORT=8080$/],
    ['PORT', '65536', /^PORT: /],
    ['PORT', '-1', /^PORT: /],
    ['EMBEDDING_WORKERS', '0', /^EMBEDDING_WORKERS: .*for example/],
    ['EMBEDDING_THREADS', '1.5', /^EMBEDDING_THREADS: .*for example/],
    ['EMBEDDING_MODEL', './no-such-directory', /^EMBEDDING_MODEL: .*for example/],
    ['AUTH_SECRET', 'short', /^AUTH_SECRET: has 5 bytes, and needs 32 or more; for example/],
    ['PUBLIC_URL', 'embed.example.com', /^PUBLIC_URL: .*for example PUBLIC_URL=https:/],
    ['LOG_LEVEL', 'loud', /^LOG_LEVEL: "loud" is not one of .*for example LOG_LEVEL=info$/],
    ['EMBEDGATE_BOOTSTRAP', 'no', /^EMBEDGATE_BOOTSTRAP: .*for example/],
    ['ERROR_FORMAT', 'xml', /^ERROR_FORMAT: .*for example/],
    ['CACHE_MEMORY_MB', '0', /^CACHE_MEMORY_MB: .*for example/],
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
