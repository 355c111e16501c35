import assert from 'node:assert/strict';
import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually } from '../helpers/eventually.ts';
import { freePort } from '../helpers/free-port.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { type Image, replay } from './image/replay.ts';

// `npm run test:image`: executes the Dockerfile's steps without a container engine, and starts the result.

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const maxSizeBytes = 250e6;

function reasonToSkip(): string | false {
  if (platform() !== 'linux') return 'only Linux has the namespaces that this needs';
  if (process.getuid?.() !== 0) return 'only root can make a root file system';
  for (const tool of ['unshare', 'nsenter', 'chroot']) {
    if (spawnSync(tool, ['--version']).error) return `there is no ${tool} here`;
  }
  if (spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status !== 0) {
    return 'this machine allows no namespaces';
  }
  const ping = spawnSync('npm', ['ping', '--fetch-retries=0', '--fetch-timeout=10000'], { cwd: checkout });
  return ping.status === 0 ? false : 'no package registry can be reached';
}

describe('the image', { skip: reasonToSkip() }, () => {
  let image: Image;
  let container: ChildProcess;
  let pid: number;
  let address: string;
  let output = '';
  let env: Record<string, string>;
  before(async () => {
    image = replay(checkout);
    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    const { stage, root } = image;
    env = { ...stage.env, HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'warn' };
    const { user, workdir, volumes } = stage;
    container = root.spawn([...stage.entrypoint, ...stage.command], {
      ...{ env, user, workdir, volumes },
      isReadOnly: true,
    });
    for (const stream of [container.stdout, container.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
      });
    }
    await eventually(
      () => {
        if (container.exitCode !== null) throw new Error(`It ended with ${container.exitCode}: ${output}`);
        return output.includes('Embedgate listens on');
      },
      { withinMs: 200_000 },
    );
    pid = Number(readFileSync(`/proc/${container.pid}/task/${container.pid}/children`, 'utf8').trim());
  });
  after(() => {
    container?.kill('SIGKILL');
    image?.[Symbol.dispose]();
  });

  /** As `docker exec`. */
  const exec = (...command: string[]) => {
    const [uid = '', gid = ''] = image.stage.user.split(':');
    const own = ['--target', String(pid), '--mount', '--pid', '--root', '--wd'];
    const settings = Object.entries({ PATH: '/usr/local/bin:/usr/bin:/bin', ...env });
    return spawnSync(
      'nsenter',
      [
        ...own,
        `--setuid=${uid}`,
        `--setgid=${gid}`,
        '--',
        'env',
        '-i',
        ...settings.map(([k, v]) => `${k}=${v}`),
        ...command,
      ],
      { encoding: 'utf8', timeout: 200_000 },
    );
  };

  it(`adds at most ${maxSizeBytes / 1e6} MB to its base image`, (t) => {
    t.diagnostic(`${(image.sizeBytes / 1e6).toFixed(1)} MB`);
    assert.ok(image.sizeBytes < maxSizeBytes, `${image.sizeBytes} bytes`);
  });

  it('runs node as process 1, not as root, on a read-only root file system', () => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    assert.match(status, /^Name:\s+(node|MainThread)$/m);
    assert.match(status, /^NSpid:.*\s1$/m);
    assert.match(status, /^Uid:\s+1000\s+1000\s+1000\s+1000$/m);
    const { status: code, stderr } = exec('touch', '/app/file');
    assert.notEqual(code, 0);
    assert.match(stderr, /Read-only file system/);
  });

  it('is healthy and embeds a text', async () => {
    const { status, stderr } = exec(...image.stage.healthCheck);
    assert.equal(status, 0, stderr);
    const [, key = ''] = /API key +(sk_\w+)/.exec(output) ?? [];
    const answer = await requestEmbeddings(address, key, 'The quick brown fox');
    assert.equal(answer.status, 200);
    const { data } = (await answer.json()) as { data: { embedding: number[] }[] };
    assert.equal(data[0]?.embedding.length, 512);
  });

  it('serves the dashboard', async () => {
    const page = await fetch(address);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /<div id="root">/);
  });

  it('has the command line on its PATH', () => {
    const [, orgId = ''] = /Organization .*, (\S+)/.exec(output) ?? [];
    const { status, stdout, stderr } = exec('embedgate', 'keys', 'list', '--org-id', orgId);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /first key/);
    const backup = exec('embedgate', 'backup', '--to', '/data/backup.tar.gz');
    assert.equal(backup.status, 0, backup.stderr);
  });

  it('exits with 0 on SIGTERM', async () => {
    const ended = once(container, 'exit');
    process.kill(pid, 'SIGTERM');
    assert.deepEqual(await ended, [0, null], output);
  });
});
