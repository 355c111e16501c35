import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildProgram } from '../../src/cli/program.ts';
import { temporaryDirectory } from '../helpers/directory.ts';
import { eventually } from '../helpers/eventually.ts';
import { writeBertModel } from '../helpers/models/write-bert-model.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { environmentIn, Installed, network, npm } from './installed.ts';
import { openRegistry, type Registry } from './registry.ts';
import { Tools } from './tools.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
// 20 MB are the built-in model. Half of the rest is better-auth with what it needs, bundled because npm 10 can't resolve
// its optional peers.
const maxPackedBytes = 29_000_000;
/** Arguments of unshare(1) that run a command where this machine is the only one on the network. */
const inNamespace = ['--map-root-user', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
const hasNamespaces = spawnSync('unshare', [...inNamespace, 'true']).status === 0;

describe('the npm package', () => {
  const directory = temporaryDirectory();
  const own = join(directory.path, 'own');
  const global = join(directory.path, 'global');
  let tarball: string;
  let files: string[];
  let embedgate: Installed;
  let globally: Installed;
  let registry: Registry;

  before(async () => {
    for (const path of [own, global]) mkdirSync(path);
    const [packed] = JSON.parse(
      await npm(checkout, ['pack', '--json', '--pack-destination', directory.path]),
    );
    tarball = join(directory.path, packed.filename);
    files = packed.files.map(({ path }: { path: string }) => path);
    // A Node that can't run Embedgate itself.
    const tools = new Tools(join(directory.path, 'tools'));
    const [nodeDirectory, newer] = [await tools.path(20, '~10.8'), await tools.path(20, '~11.6')];
    writeFileSync(join(own, 'package.json'), '{"private": true, "type": "module"}');
    const others = (await npm(checkout, ['config', 'get', 'registry'])).trim();
    const manifest = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
    registry = await openRegistry(tarball, manifest, others);
    const install = ['install', `--registry=${registry.url}`, '--no-audit', '--no-fund', 'embedgate'];
    const environmentOf = (node: string) => ({
      ...network,
      ...environmentIn(own, { PATH: `${node}:/usr/local/bin:/usr/bin:/bin` }),
      npm_config_cache: process.env.npm_config_cache ?? join(directory.path, 'npm-cache'),
    });
    await Promise.all([
      npm(own, install, environmentOf(nodeDirectory)),
      npm(own, [...install, '--global', '--prefix', global], environmentOf(newer)),
    ]);
    embedgate = new Installed(join(own, 'node_modules/.bin/embedgate'), own, nodeDirectory);
    globally = new Installed(join(global, 'bin/embedgate'), global, nodeDirectory);
  });
  after(async () => {
    await registry[Symbol.asyncDispose]();
    directory[Symbol.dispose]();
  });

  it('is small, and contains neither tests nor sources that Node would have to strip', () => {
    assert.ok(statSync(tarball).size < maxPackedBytes, `${statSync(tarball).size} bytes`);
    assert.deepEqual(
      files.filter(
        (file) =>
          !file.startsWith('node_modules/') &&
          (/^(src|packages|test|bench|checks|scripts)\//.test(file) || /(?<!\.d)\.tsx?$/.test(file)),
      ),
      [],
    );
    for (const file of [
      'bin/embedgate.js',
      'dist/src/main.js',
      'dist/src/main.js.map',
      'dist/src/index.d.ts',
      'LICENSE',
    ]) {
      assert.ok(files.includes(file), file);
    }
    assert.ok(files.includes('web/dist/index.html'), 'the dashboard is missing');
  });

  it('has each file of SQL beside the module that reads it', () => {
    const sources = globSync('**/*.sql', { cwd: join(checkout, 'src') });
    assert.ok(sources.length > 0);
    for (const file of sources) {
      const packed = join(own, 'node_modules/embedgate/dist/src', file);
      assert.equal(readFileSync(packed, 'utf8'), readFileSync(join(checkout, 'src', file), 'utf8'));
    }
  });

  it('has the native encoder where its module looks for it, and loads it', () => {
    const file = 'dist/packages/encoder-native/build/encoder-linux-x64.node';
    assert.ok(files.includes(file), 'on Linux on x86-64, packing builds it');
    assert.ok(createRequire(import.meta.url)(join(own, 'node_modules/embedgate', file)));
    const needed = readFileSync(join(own, 'node_modules/embedgate', file), 'latin1').matchAll(
      /GLIBC_2\.(\d+)/g,
    );
    // What Node and ONNX Runtime need too.
    for (const [version, minor] of needed) assert.ok(Number(minor) <= 28, version);
  });

  it('has source maps that contain the sources', () => {
    const map = JSON.parse(readFileSync(join(own, 'node_modules/embedgate/dist/src/main.js.map'), 'utf8'));
    assert.equal(map.sourcesContent[0], readFileSync(join(checkout, 'src/main.ts'), 'utf8'));
  });

  it('declares types that a strict compiler accepts', async () => {
    const program = `import { type Config, ConfigError, readConfig, serve, version } from 'embedgate';
const config: Config = readConfig({ PORT: '0' });
export const served: Promise<void> = serve(config);
export const text: string = version;
export const isConfigError = (reason: unknown): boolean => reason instanceof ConfigError;
`;
    writeFileSync(join(own, 'consumer.mts'), program);
    const options = '--noEmit --strict --module nodenext --target esnext --types node'.split(' ');
    const typeRoots = ['--typeRoots', join(checkout, 'node_modules/@types')];
    const tsc = join(checkout, 'node_modules/.bin/tsc');
    await npm(own, ['exec', '--offline', '--', tsc, ...options, ...typeRoots, 'consumer.mts']);
  });

  it('serves embeddings, dashboard, documentation and metrics, and stops gracefully, installed globally', async () => {
    const child = globally.start('serve');
    let printed = '';
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding('utf8').on('data', (chunk) => {
        printed += chunk;
      });
    }
    const closed = once(child, 'close');
    const welcome = () => /listens on (http\S+)[\s\S]*API key +(sk_\w+)/.exec(printed);
    await eventually(() => welcome() !== null || child.exitCode !== null, { withinMs: 200_000 });
    const [, address = '', key = ''] = welcome() ?? assert.fail(printed);
    const response = await requestEmbeddings(address, key, 'The quick brown fox');
    assert.equal(response.status, 200);
    const { data } = (await response.json()) as { data: { embedding: number[] }[] };
    assert.equal(data[0]?.embedding.length, 384);
    const headers = { authorization: `Bearer ${key}` };
    for (const path of ['/', '/docs/', '/openapi.json', '/metrics', '/ready', '/v1/usage']) {
      const { status } = await fetch(`${address}${path}`, { headers });
      assert.equal(status, 200, path);
    }
    child.kill('SIGTERM');
    assert.deepEqual(await closed, [0, null], printed);
  });

  it('embeds, installed in a folder, without a network where that can be taken away', async () => {
    const program = fileURLToPath(new URL('embed-alone.js', import.meta.url));
    const [words, env] = embedgate.command('serve');
    const command = [process.execPath, program, ...words];
    const [file = '', ...args] = hasNamespaces ? ['unshare', ...inNamespace, ...command] : command;
    const { stdout } = await promisify(execFile)(file, args, { env, timeout: 120_000 });
    const { status, body } = JSON.parse(stdout);
    assert.deepEqual([status, body.model, body.data[0].embedding.length], [200, 'all-MiniLM-L6-v2', 384]);
  });

  // The commands run while npx waits for the registry.
  describe('once it is installed', { concurrency: 2 }, () => {
    it('runs every command', async () => {
      const ran = new Set<string>();
      const json = <R>(...args: string[]): Promise<R> => {
        ran.add(args.filter((arg, i) => i < 2 && /^[a-z-]+$/.test(arg) && !arg.startsWith('-')).join(' '));
        return embedgate.json<R>(...args);
      };
      const { org_id } = await json<{ org_id: string }>('orgs', 'create', '--name', 'Acme');
      const create = ['--user-id', 'ada', '--org-id', org_id, '--name', 'laptop'];
      const first = await json<{ key_id: string }>('keys', 'create', ...create);
      const second = await json<{ key_id: string; key: string }>('create', ...create);
      await json('keys', 'list', '--org-id', org_id);
      await json('keys', 'find', '--hint', second.key.slice(-4));
      await json('keys', 'rotate', '--key-id', first.key_id);
      await json('keys', 'revoke', '--key-id', first.key_id);
      await json('revoke', '--key-id', second.key_id);
      await json('orgs', 'list');
      await json('orgs', 'set-tier', '--org-id', org_id, '--tier', 'pro');
      await json('users', 'create', '--email', 'ada@example.com', '--name', 'Ada');
      await json('users', 'reset-password', '--email', 'ada@example.com');
      await json('usage', '--org-id', org_id);
      const { data: entries } = await json<{ data: { action: string }[] }>('audit', '--org-id', org_id);
      assert.ok(entries.some(({ action }) => action === 'organization.create'));
      await json('models', 'list');
      const model = join(own, 'bert');
      await writeBertModel(model, { width: 64, heads: 4, feedForwardWidth: 128 });
      const { directory } = await json<{ directory: string }>('models', 'convert', model);
      assert.equal(directory, `${model}.int8-6`);
      await json('signing-key', 'rotate');
      await json('signing-key', 'reissue');
      await json('signing-key', 'retire');
      await json('users', 'create', '--email', 'root@example.com', '--admin');
      const sent = await embedgate.run('api', 'GET', `/v1/organizations/${org_id}`);
      assert.equal(sent.status, 0, sent.stderr);
      await json('trust-clock');
      await json('migrate');
      await json('bench', '--seconds', '1');
      const file = join(own, 'backup.tar.gz');
      await json('backup', '--to', file);
      renameSync(join(own, 'data'), join(own, 'data-before'));
      await json('restore', '--from', file);
      const restored = await json<{ data: { org_id: string }[] }>('orgs', 'list');
      assert.ok(restored.data.some((organization) => organization.org_id === org_id));

      // There is no hub here, so the command only has to get as far as requesting it.
      const pull = await embedgate.run('models', 'pull', 'Xenova/bge-small-en-v1.5');
      assert.equal(pull.status, 1);
      assert.match(pull.stderr, /127\.0\.0\.1:9/);
      // There is no service either.
      const embedded = await embedgate.run('embed', join(own, 'none.txt'), '--out', join(own, 'none.npy'));
      assert.notEqual(embedded.status, 0);
      assert.match(embedded.stderr, /EMBEDGATE_KEY|none\.txt/);
      const compared = await embedgate.run('compare', 'a', 'b', '--texts', join(own, 'none.txt'));
      assert.notEqual(compared.status, 0);
      assert.match(compared.stderr, /EMBEDGATE_KEY|none\.txt/);
      const exported = await embedgate.run('export', '--url', 'none');
      assert.match(exported.stderr, /EMBEDGATE_URL/);
      const applied = await embedgate.run('apply', join(own, 'none.yaml'));
      assert.match(applied.stderr, /none\.yaml/);
      ran.add('export').add('apply').add('models pull').add('serve').add('embed').add('compare').add('api');

      const all = buildProgram({}).commands.flatMap((command) =>
        command.commands.length === 0
          ? [command.name()]
          : command.commands.map((child) => `${command.name()} ${child.name()}`),
      );
      assert.deepEqual(
        all.filter((name) => !ran.has(name)),
        [],
      );
    });

    it('runs with npx', async () => {
      const empty = join(directory.path, 'npx');
      mkdirSync(empty);
      const env = { ...network, ...environmentIn(empty), npm_config_cache: join(empty, 'cache') };
      const npx = ['exec', '--yes', `--registry=${registry.url}`, '--', 'embedgate', '--version'];
      const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
      assert.equal(await npm(empty, npx, env), `${version}\n`);
    });

    it('returns the command’s exit code and prints its version', async () => {
      assert.equal((await embedgate.run('nonsense')).status, 2);
      const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
      assert.equal((await globally.run('--version')).stdout, `${version}\n`);
    });

    it('leaves a converter that works by itself, as its page says', async () => {
      const alone = join(directory.path, 'alone');
      mkdirSync(alone);
      writeFileSync(join(alone, 'package.json'), '{"private": true, "type": "module"}');
      const source = join(checkout, 'packages/onnx-int8');
      const pack = ['pack', '--json', '--pack-destination', directory.path];
      const [{ filename }] = JSON.parse(await npm(source, pack));
      // It needs Node 24, with which this test runs.
      const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
      const packed = join(directory.path, filename);
      await npm(alone, ['install', '--ignore-scripts', '--no-audit', '--no-fund', packed]);
      await writeBertModel(alone, { width: 64, heads: 4, feedForwardWidth: 128, file: 'model.onnx' });
      const printed = await npm(alone, ['exec', '--no', '--', 'onnx-int8', 'model.onnx'], env);
      assert.match(printed, /^model_int8\.onnx: \d+ products in int8, 0\.\d MB$/m);
      const [, program] = /```js\n(.*?)```/s.exec(readFileSync(join(source, 'README.md'), 'utf8'))!;
      writeFileSync(join(alone, 'program.js'), program!);
      // The command has written these, and neither overwrites a file.
      for (const file of ['model_int8.onnx', 'model_int8.onnx_data']) rmSync(join(alone, file));
      const options = { cwd: alone, encoding: 'utf8', timeout: 60_000 } as const;
      assert.match(execFileSync(process.execPath, ['program.js'], options), /^\d+ products use int8$/m);
    });
  });
});
