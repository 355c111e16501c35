import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryDirectory } from '../helpers/directory.ts';
import { type Environment, spawnEmbedgate } from '../helpers/embedgate.ts';
import { Random } from '../helpers/random.ts';
import { HostileValues } from './hostile-values.ts';
import { seed, serviceOn, size } from './stores.ts';

// Command lines and environments that nobody would write on purpose. Each command ends soon with 0, 1 or 2,
// and never with a stack.

const deadlineMs = 200_000;
const commands = [
  ['orgs', 'create', '--name', '?', '--tier', '?'],
  ['orgs', 'list', '--json'],
  ['orgs', 'set-tier', '--org-id', '?', '--tier', '?'],
  ['keys', 'create', '--user-id', '?', '--org-id', '?', '--name', '?', '--expires-in', '?'],
  ['keys', 'list', '--org-id', '?'],
  ['api', '?', '?', '?'],
  ['api', 'POST', '/v1/organizations/?', '?'],
  ['keys', 'revoke', '--key-id', '?'],
  ['usage', '--org-id', '?'],
  ['users', 'create', '--email', '?', '--name', '?'],
  ['users', 'reset-password', '--email', '?'],
  ['signing-key', '?'],
  ['models', 'list', '?'],
  ['restore', '?', '--to', '?'],
  ['?', '?'],
] as const;
const variables = [
  ...[
    'HOST',
    'PORT',
    'DATA_DIR',
    'EMBEDDING_MODEL',
    'EMBEDDING_WORKERS',
    'EMBEDDING_DTYPE',
    'EMBEDDING_MAX_TOKENS',
  ],
  ...[
    'EMBEDDING_UPSTREAM_URL',
    'EMBEDGATE_CONFIG',
    'DATABASE_URL',
    'SIGNING_KEY',
    'AUTH_SECRET',
    'PUBLIC_URL',
    'LOG_LEVEL',
  ],
  ...[
    'SMTP_URL',
    'TRUSTED_PROXIES',
    'OIDC_ISSUER',
    'CORS_ORIGINS',
    'ADMIN_EMAIL',
    'DEFAULT_TIER',
    'HF_TOKEN',
    'CACHE_MEMORY_MB',
  ],
  ...['MAX_CONNECTIONS', 'MAX_BODY_KB', 'ERROR_FORMAT', 'SIGN_UP'],
];

describe('the command line', () => {
  test('accepts any arguments', async () => {
    await using service = await serviceOn('SQLite');
    const random = new Random(seed);
    const values = argumentsOf(random);
    for (let i = 0; i < size(300, 25); i++) {
      const args = random.pick(commands).map((word) => (word === '?' ? values() : word));
      if (random.chance(0.1)) args.push(values());
      // The path of a backup or a restore has to be below the test's directory, whatever the arguments.
      await run(args, { ...service.environment, PWD: service.dataDir });
    }
  });

  test('accepts any environment', async () => {
    using directory = temporaryDirectory();
    const random = new Random(seed + 1);
    const values = argumentsOf(random);
    for (let i = 0; i < size(300, 25); i++) {
      const name = random.pick(variables);
      // Relative, so that new files are in the test's directory.
      const isSecret = name === 'HF_TOKEN' || name === 'AUTH_SECRET';
      // A secret differs from any word that a message may contain.
      const value = (isSecret ? 'u7Rk' : '') + (values().replaceAll(/[/\0]/g, '_').trim() || 'x');
      const environment = { DATA_DIR: join(directory.path, 'data'), EMBEDDING_WORKERS: '1', [name]: value };
      if (name === 'DATA_DIR') environment.DATA_DIR = join(directory.path, value.slice(0, 100));
      const { code, stderr } = await run(['orgs', 'list'], environment);
      if (code === 1 && !stderr.includes('There is no data'))
        assert.match(stderr, /^embedgate: [A-Z_]+|DATABASE|data/m, name);
      if (isSecret) assert.ok(!stderr.includes('u7Rk'), name);
    }
    assert.ok(!existsSync(join(directory.path, 'data', 'embedgate.db')), 'reading makes no data');
  });
});

function argumentsOf(random: Random): () => string {
  const values = new HostileValues(random, {});
  const likely = [
    '--help',
    '--json',
    '-1',
    '0',
    '90d',
    'free',
    'enterprise',
    'x@example.com',
    'data',
    '--',
    '--org-id',
  ];
  // No program can be given a NUL.
  return () => (random.chance(0.4) ? random.pick(likely) : values.text().replaceAll('\0', '').toWellFormed());
}

async function run(
  args: readonly string[],
  environment: Environment,
): Promise<{ code: number | null; stderr: string }> {
  const child = spawnEmbedgate([...args], environment);
  const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
  const { code, signal } = await child.exited;
  clearTimeout(timer);
  const what = JSON.stringify({ args, environment, code, signal, stderr: child.stderr().slice(0, 1_000) });
  assert.ok(code === 0 || code === 1 || code === 2, what);
  assert.doesNotMatch(child.stderr(), /^ {4}at |node:internal/m, what);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would obey is what is looked for.
  assert.doesNotMatch(child.stdout() + child.stderr(), /[\u0000-\u0008\u000b-\u001f\u007f]/, what);
  return { code, stderr: child.stderr() };
}
