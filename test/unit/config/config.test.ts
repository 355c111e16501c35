import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it, test } from 'node:test';
import { inspect } from 'node:util';
import { ConfigError, readConfig } from '../../../src/config/config.ts';
import { standardTiers } from '../../../src/quota/tiers.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { faultOf } from './fault-of.ts';

test('without variables, every setting has its documented default', () => {
  const config = readConfig({});
  assert.equal(config.host, '127.0.0.1');
  assert.equal(config.port, 8080);
  assert.match(config.dataDir, /\/data$/);
  assert.equal(config.postgres, null);
  assert.deepEqual(
    config.models.map(({ name }) => name),
    ['all-MiniLM-L6-v2'],
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
    [
      'NATIVE_ENCODER',
      'true',
      /^NATIVE_ENCODER: "true" is not one of on, off; for example NATIVE_ENCODER=on$/,
    ],
    ['EMBEDDING_MODEL', './no-such-directory', /^EMBEDDING_MODEL: .*for example/],
    ['AUTH_SECRET', 'short', /^AUTH_SECRET: has 5 bytes but needs 32 or more; for example/],
    ['PUBLIC_URL', 'embed.example.com', /^PUBLIC_URL: .*for example PUBLIC_URL=https:/],
    [
      'PUBLIC_URL',
      'https://a.example.com/"onload=',
      /^PUBLIC_URL: has a path with other characters than letters, .*; for example/,
    ],
    ['PUBLIC_URL', 'https://a.example.com/?a=b', /^PUBLIC_URL: has a query/],
    [
      'HF_ENDPOINT',
      'https://ada:secret@hub.example.com',
      /^HF_ENDPOINT: has a user, which would not be used; for example/,
    ],
    ['FILES_URL', 'https://s3.example.com/bucket#a', /^FILES_URL: has a fragment/],
    [
      'SMTP_URL',
      'smtp://mail.example.com/path',
      /^SMTP_URL: is not an smtp:\/\/ or smtps:\/\/ address of a server/,
    ],
    ['SMTP_URL', 'smtp://mail.example.com?ignoreTls=true', /^SMTP_URL: .* other options than ignoreTLS/],
    ['SMTP_URL', 'smtp://mail.example.com?requireTLS', /^SMTP_URL: .* true or false/],
    [
      'OIDC_ISSUER',
      'https://id.example.com/realms/a/.well-known/openid-configuration',
      /^OIDC_ISSUER: must be the issuer, https:\/\/id.example.com\/realms\/a, not/,
    ],
    [
      'PASSWORD_SIGN_IN',
      'off',
      /^PASSWORD_SIGN_IN: off needs a provider to sign in with, such as OIDC_ISSUER;/,
    ],
    ['OIDC_ISSUER', 'https://id.example.com', /^OIDC_CLIENT_ID: is required with OIDC_ISSUER; for example/],
    ['DATABASE_URL', 'postgres://embedgate:pa@ss@db/embedgate', /^DATABASE_URL: .*write @ as %40/],
    ['DATABASE_URL', 'postgres://embedgate:pa#ss@db/embedgate', /^DATABASE_URL: .*# as %23/],
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
    ['DATABASE_URL', 'mysql://db/embedgate', /^DATABASE_URL: is not a postgres:\/\/ address .*; for example/],
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

test('MAIL_FROM can have a name, HOST=localhost is an address, and no ~ becomes a directory', () => {
  const mailFrom = (MAIL_FROM: string) =>
    readConfig({ SMTP_URL: 'smtp://mail', PUBLIC_URL: 'https://a.example.com', MAIL_FROM }).mail?.from;
  const address = 'embed@example.com';
  assert.deepEqual(mailFrom(address), { name: '', address });
  for (const written of [`Acme, Inc. <${address}>`, `"Acme, Inc."  <${address}>`])
    assert.deepEqual(mailFrom(written), { name: 'Acme, Inc.', address });
  for (const wrong of ['Acme', 'Acme <a>', `${address}, ${address}`, `<${address}`])
    assert.throws(() => mailFrom(wrong), /^ConfigError: MAIL_FROM: .*; for example MAIL_FROM=/);
  assert.equal(readConfig({ HOST: 'localhost' }).host, '127.0.0.1');
  assert.throws(() => readConfig({ DATA_DIR: '~/data' }), /^ConfigError: DATA_DIR: begins with ~/);
});

test('a setting that does nothing without another one is refused', () => {
  const alone = {
    DATABASE_URL: ['DATABASE_LISTEN_URL=postgres://db/a', 'DATABASE_POOL_SIZE=20'],
    SMTP_URL: ['MAIL_FROM=ada@example.com'],
    OIDC_ISSUER: ['OIDC_NAME=Acme', 'OIDC_TRUST_EMAIL=on'],
    EMBEDDING_UPSTREAM_URL: ['EMBEDDING_UPSTREAM_ENCODING=base64'],
  };
  for (const [needed, settings] of Object.entries(alone))
    for (const [name = '', value] of settings.map((setting) => setting.split('=')))
      assert.throws(() => readConfig({ [name]: value }), {
        name: 'ConfigError',
        message: new RegExp(`^${needed}: is required with ${name}; for example ${needed}=`),
      });
});

test('PUBLIC_URL has no slash at its end, and can have a path', () => {
  for (const url of ['https://a.example.com', 'https://a.example.com/tools/embedgate'])
    for (const written of [url, `${url}/`]) assert.equal(readConfig({ PUBLIC_URL: written }).publicUrl, url);
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

test('a bucket is an address without a password, and requires an access key', () => {
  const key = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'hunter2' };
  const url = 'https://s3.eu-central-1.amazonaws.com/bucket/prefix';
  for (const unused of [key, { AWS_REGION: 'two words' }, { AWS_ACCESS_KEY_ID: 'two words' }])
    assert.equal(readConfig(unused).bucket, null);
  assert.deepEqual(readConfig({ ...key, FILES_URL: `${url}//` }).bucket, {
    url,
    accessKeyId: 'AKIAEXAMPLE',
    secretAccessKey: 'hunter2',
    sessionToken: null,
    region: null,
  });
  for (const missing of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) {
    assert.throws(() => readConfig({ ...key, FILES_URL: url, [missing]: '' }), {
      name: 'ConfigError',
      message: new RegExp(`^${missing}: is required with FILES_URL; for example ${missing}=`),
    });
  }
  for (const wrong of [
    's3://bucket/prefix',
    'bucket',
    'https://ada:hunter2@s3.internal/bucket',
    `${url}?a=b`,
  ]) {
    assert.throws(
      () => readConfig({ ...key, FILES_URL: wrong }),
      (reason) => reason instanceof ConfigError && !inspect(reason).includes('hunter2'),
    );
  }
});

describe('the tiers of a settings file', () => {
  const directory = temporaryDirectory();
  after(() => directory[Symbol.dispose]());
  const file = join(directory.path, 'embedgate.yaml');
  const tiersOf = (text: string, environment: Record<string, string> = {}) => {
    writeFileSync(file, text);
    return readConfig({ ...environment, EMBEDGATE_CONFIG: file }).tiers;
  };
  const refusal = (text: string, environment: Record<string, string> = {}): string =>
    faultOf(() => tiersOf(text, environment), directory.path);

  it('replace the four standard ones and work with the built-in model', () => {
    const tiers = tiersOf(
      'tiers:\n  - {name: team, limit: 500000, price: $0}\n  - {name: partner, limit: unlimited, custom_limits: true, weight: 4}\n',
    );
    assert.deepEqual(tiers.all, [
      {
        name: 'team',
        monthlyLimit: 500_000,
        unit: 'requests',
        price: '$0',
        takesCustomLimit: false,
        weight: 1,
        limits: [],
        thresholds: [],
      },
      {
        name: 'partner',
        monthlyLimit: null,
        unit: 'requests',
        price: null,
        takesCustomLimit: true,
        weight: 4,
        limits: [],
        thresholds: [],
      },
    ]);
    assert.equal(tiers.default, 'team');
    assert.equal(readConfig({ EMBEDGATE_CONFIG: file }).models.length, 1);
  });

  it('are the standard ones if the file lists none', () => {
    const tiers = tiersOf('models: [{model: all-MiniLM-L6-v2}]');
    assert.deepEqual(tiers.all, standardTiers.all);
  });

  it('have a default that DEFAULT_TIER names', () => {
    assert.equal(readConfig({}).tiers.default, 'free');
    assert.equal(readConfig({ DEFAULT_TIER: 'enterprise' }).tiers.default, 'enterprise');
    const text = 'tiers: [{name: a, limit: 1}, {name: b, limit: 2}]';
    assert.equal(tiersOf(text, { DEFAULT_TIER: 'b' }).default, 'b');
    assert.match(
      refusal(text, { DEFAULT_TIER: 'free' }),
      /^DEFAULT_TIER: "free" is not one of a, b; for example DEFAULT_TIER=a$/,
    );
  });

  it('are refused with one line that names the file, the field, the error and an example', () => {
    const cases: [string, RegExp][] = [
      ['tiers: []', /^embedgate\.yaml: tiers is not a list of one entry or more; for example tiers: \[/],
      ['tiers: [{limit: 1}]', /^embedgate\.yaml: tiers\[0\]\.name is missing; for example name: team$/],
      ['tiers: [{name: "a b", limit: 1}]', /tiers\[0\]\.name has characters other than/],
      [`tiers: [{name: ${'a'.repeat(33)}, limit: 1}]`, /tiers\[0\]\.name .*more than 32/],
      ['tiers: [{name: "a\',\'b", limit: 1}]', /tiers\[0\]\.name has characters other than/],
      [
        'tiers: [{name: a}]',
        /tiers\[0\]\.limit is missing; write unlimited for no limit; for example limit: 500000$/,
      ],
      ['tiers: [{name: a, limit: many}]', /tiers\[0\]\.limit is not a whole number from 0 to/],
      ['tiers: [{name: a, limit: -1}]', /tiers\[0\]\.limit is not a whole number from 0 to/],
      ['tiers: [{name: a, limit: 1, price: 5}]', /tiers\[0\]\.price is not a text; for example price: \$29$/],
      [
        'tiers: [{name: a, limit: 1, per: day}]',
        /tiers\[0\]\.per is not a setting; the settings are name, limit, unit, price, custom_limits, weight, limits, thresholds$/,
      ],
      ['tiers: [{name: a, limit: 1, weight: 0}]', /tiers\[0\]\.weight is not a whole number from 1 to 1000/],
      ['tiers: [{name: a, limit: 1}, {name: a, limit: 2}]', /tiers names "a" twice/],
      ...(
        [
          ['{window: day}', /limits\[0\]\.amount is missing; for example amount: 600$/],
          ['{amount: 1}', /limits\[0\]\.window is missing; for example window: minute$/],
          ['{window: day, amount: 0}', /limits\[0\]\.amount is not a whole number from 1 to/],
          ['{window: day, amount: 1, per: day}', /limits\[0\]\.per is not a setting/],
          [
            '{window: day, amount: 1, max_wait_seconds: 5}',
            /max_wait_seconds is for a window of a second or/,
          ],
          [
            '{window: day, amount: 1}, {window: day, amount: 2}',
            /limits has two limits of the same unit and/,
          ],
        ] as const
      ).map(([limit, message]): [string, RegExp] => [
        `tiers: [{name: a, limit: 1, limits: [${limit}]}]`,
        message,
      ]),
      [
        'tiers: [{name: a, limit: 1, thresholds: [0]}]',
        /thresholds is not a list of at most 10 whole numbers/,
      ],
    ];
    for (const [text, message] of cases) assert.match(refusal(text), message);
  });
});

describe('settings for browsers and for names of models', () => {
  it('accept origins as browsers send them, or all origins', () => {
    assert.deepEqual(readConfig({}).corsOrigins, []);
    assert.deepEqual(readConfig({ CORS_ORIGINS: '*' }).corsOrigins, ['*']);
    const origins = [
      'https://app.example.com',
      'http://localhost:5173',
      'app://obsidian.md',
      'tauri://localhost',
    ];
    assert.deepEqual(readConfig({ CORS_ORIGINS: origins.join(', ') }).corsOrigins, origins);
    for (const wrong of [
      'app.example.com',
      'https://app.example.com/',
      'https://*.example.com',
      'https://APP.example.com',
      'https://a:443',
      'tauri://localhost/index.html',
      'app://Obsidian.md',
      'file://',
      'null',
    ]) {
      assert.throws(() => readConfig({ CORS_ORIGINS: wrong }), {
        message: /^CORS_ORIGINS: ".*" is not an origin such as/,
      });
    }
  });

  it('give aliases to the model that the environment names, or to the built-in one', () => {
    const [model] = readConfig({ EMBEDDING_MODEL_ALIASES: 'text-embedding-3-small, docs' }).models;
    assert.deepEqual(model?.aliases, [{ name: 'text-embedding-3-small' }, { name: 'docs' }]);
    const aliases = (text: string) => readConfig({ EMBEDDING_MODEL_ALIASES: text }).models[0]?.aliases;
    assert.deepEqual(
      aliases('openai')?.map(({ name }) => name),
      ['text-embedding-3-small', 'text-embedding-3-large', 'text-embedding-ada-002'],
    );
    assert.deepEqual(aliases('q?input_type=search_query&dimensions=64&truncate=false'), [
      { name: 'q', inputType: 'query', dimensions: 64, truncate: false },
    ]);
    for (const wrong of ['q?input_type=half', 'q?dimensions=0', 'q?size=5', '?dimensions=5'])
      assert.throws(() => aliases(wrong), /^ConfigError: EMBEDDING_MODEL_ALIASES: .*; for example /);
    for (const twice of ['all-MiniLM-L6-v2?dimensions=5', 'openai,text-embedding-3-small'])
      assert.throws(() => aliases(twice), /^ConfigError: EMBEDDING_MODEL_ALIASES: ".*" is a name already;/);
    assert.throws(() => readConfig({ EMBEDDING_MODEL_ALIASES: 'a'.repeat(201) }), {
      message: /^EMBEDDING_MODEL_ALIASES: one is empty, is longer than 200/,
    });
  });
});

describe('the section sign_in of a settings file', () => {
  const directory = temporaryDirectory();
  after(() => directory[Symbol.dispose]());
  const file = join(directory.path, 'embedgate.yaml');
  const orgId = '01a19671-c1c0-7453-bb19-492ba816cd71';
  const provider = {
    PUBLIC_URL: 'https://embed.example.com',
    OIDC_ISSUER: 'https://id.example.com',
    OIDC_CLIENT_ID: 'embedgate',
    OIDC_CLIENT_SECRET: 'secret',
  };
  const mapOf = (text: string, environment: Record<string, string> = provider) => {
    writeFileSync(file, text);
    return readConfig({ ...environment, EMBEDGATE_CONFIG: file }).oidc?.claimMap;
  };

  it('maps values of a claim to organizations and roles', () => {
    const entry = `{value: ml-team, organization: ${orgId.toUpperCase()}, role: member}`;
    assert.deepEqual(mapOf(`sign_in: {claim: groups, scopes: [groups], memberships: [${entry}]}`), {
      claim: 'groups',
      scopes: ['groups'],
      revokesKeys: false,
      memberships: [{ value: 'ml-team', orgId, role: 'member' }],
    });
    assert.equal(
      mapOf(`sign_in: {claim: groups, revoke_keys: true, memberships: [${entry}]}`)?.revokesKeys,
      true,
    );
    assert.equal(mapOf('{}'), null);
  });

  it('is refused in one line that names the field', () => {
    const refused = (text: string, environment?: Record<string, string>) =>
      faultOf(() => mapOf(`sign_in: ${text}`, environment), directory.path);
    const entry = (fields: string) => `{claim: groups, memberships: [{${fields}}]}`;
    assert.match(refused('groups'), /^embedgate.yaml: sign_in is not a mapping; for example /);
    assert.match(refused('{}'), /^embedgate.yaml: sign_in.claim is missing; for example claim: groups$/);
    assert.match(refused('{claim: groups}'), /: sign_in.memberships is missing; /);
    assert.match(
      refused(entry(`value: a, organization: ${orgId}, role: boss`)),
      /role is not one of viewer, /,
    );
    assert.match(
      refused(entry(`value: a, organization: ${orgId}`)),
      /: sign_in.memberships\[0\].role is missing/,
    );
    const whole = entry(`value: a, organization: ${orgId}, role: member`);
    assert.match(refused(whole, {}), /^embedgate.yaml: sign_in needs OIDC_ISSUER; /);
  });
});
