import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../helpers/directory.ts';
import { eventually } from '../helpers/eventually.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { network } from '../package/installed.ts';
import { Tools } from '../package/tools.ts';

// `npm run test:install`: the README's commands with other versions of npm and Node, as another user and in other
// places. It needs a package registry, a gigabyte of disk space and half an hour. Arguments pick the combinations whose
// description contains one of them.

interface Combination {
  /** A version or a range of npm. */
  readonly npm: string;
  /** A major version of the Node outside the checkout. */
  readonly node: number;
  /** Without the development dependencies. */
  readonly production?: boolean;
  /** Another user than root, with a home directory that cannot be written to, in a path with spaces and umlauts. */
  readonly isStrange?: boolean;
  /** This npm swallows SIGTERM. Only Ctrl-C, which reaches every process of the terminal, ends the service. */
  readonly onlyCtrlC?: boolean;
}

const combinations: readonly Combination[] = [
  { npm: '~10.0', node: 20, onlyCtrlC: true },
  ...['~10.8', '~10.9', '~11.0', '~11.3', '~11.6'].map((npm) => ({ npm, node: 20 })),
  { npm: '~10.9', node: 22 },
  { npm: 'latest', node: 22 },
  { npm: '~11.6', node: 24 },
  { npm: 'latest', node: 24 },
  { npm: '~10.8', node: 20, isStrange: true },
  { npm: 'latest', node: 24, isStrange: true },
  { npm: '~10.8', node: 20, production: true },
  { npm: '~10.9', node: 22, production: true, isStrange: true },
  { npm: 'latest', node: 24, production: true },
];

const source = fileURLToPath(new URL('../..', import.meta.url));
const nobody = 65_534;
/** Only for a command or a service that hangs. */
const deadlineMs = 900_000;
const everyMs = 200;

using directory = temporaryDirectory();
chmodSync(directory.path, 0o755);
const tools = new Tools(join(directory.path, 'tools'));
const wanted = process.argv.slice(2);
let [passed, failed] = [0, 0];
for (const [i, combination] of combinations.entries()) {
  const { npm, node, production, isStrange } = combination;
  const name = `npm ${npm}, Node ${node}${production ? ', production' : ''}${isStrange ? ', strange' : ''}`;
  if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue;
  if (isStrange && process.getuid?.() !== 0) {
    console.log(`skipped  ${name}: only root can become another user`);
    continue;
  }
  try {
    await tryInstalling(combination, join(directory.path, String(i)));
    console.log(`passed   ${name}`);
    passed += 1;
  } catch (reason) {
    console.log(`FAILED   ${name}\n${reason instanceof Error ? reason.message : reason}`);
    failed += 1;
  }
}
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0 || passed === 0) process.exitCode = 1;

/** Runs both commands of the README in a clone, and installs again beside the service. Throws with the first failure. */
async function tryInstalling(combination: Combination, place: string): Promise<void> {
  const { npm, node, production, isStrange, onlyCtrlC } = combination;
  const [cwd, home, cache] = [isStrange ? 'Ein Ordner für Übungen' : 'embedgate', 'home', 'npm-cache'].map(
    (name) => join(place, name),
  ) as [string, string, string];
  for (const path of [home, cache]) mkdirSync(path, { recursive: true });
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', source, cwd]);
  if (isStrange) execFileSync('chown', ['-R', `${nobody}:${nobody}`, cwd, cache]);
  if (isStrange) chmodSync(home, 0o555);
  const env = {
    ...network,
    PATH: `${await tools.path(node, npm)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    // npm itself needs a place to write to.
    npm_config_cache: cache,
    npm_config_update_notifier: 'false',
    PORT: '0',
    EMBEDDING_WORKERS: '1',
  };
  const started: ChildProcess[] = [];
  const start = (command: string, ...args: string[]): ChildProcess => {
    const user = isStrange ? { uid: nobody, gid: nobody } : {};
    // A process group of its own, as a terminal gives each command.
    const child = spawn(command, args, {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
    });
    started.push(child);
    return child;
  };
  const run = async (command: string, ...args: string[]): Promise<void> => {
    const child = start(command, ...args);
    const timer = setTimeout(() => endGroup(child, 'SIGKILL'), deadlineMs);
    const printed = Promise.all([text(child.stdout!), text(child.stderr!)]);
    const [status] = await once(child, 'close');
    clearTimeout(timer);
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${await printed}`);
  };
  const install = () => run('npm', 'ci', ...(production ? ['--omit=dev'] : []));
  try {
    await install();
    const service = await npmStart(start('npm', 'start'));
    await embed(service, 'The quick brown fox');
    const { status } = await fetch(service.address);
    if (!production && status !== 200) throw new Error(`dashboard: ${status}`);
    let isInstalled = false;
    const installing = install().finally(() => {
      isInstalled = true;
    });
    for (let i = 0; !isInstalled; i += 1) {
      await embed(service, `Beside the installation ${i}`);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    await installing;
    await service.stop(onlyCtrlC);
    await run('npx', 'embedgate', 'orgs', 'list');
    if (!production) await run('npm', 'test', '--', 'cli/failures', 'keys/');
  } finally {
    for (const child of started) endGroup(child, 'SIGKILL');
  }
}

/** Resolves when the service that npm starts listens. */
async function npmStart(npm: ChildProcess) {
  let printed = '';
  for (const stream of [npm.stdout, npm.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
    });
  }
  const closed = once(npm, 'close');
  const welcome = () => /listens on (http\S+)[\s\S]*API key +(sk_\w+)/.exec(printed);
  await eventually(() => welcome() !== null || npm.exitCode !== null, { withinMs: deadlineMs });
  const [, address, key] = welcome() ?? [];
  if (!address || !key) throw new Error(`npm start: ${printed}`);
  return {
    address,
    key,
    /** Sends SIGTERM to npm alone, or Ctrl-C to all. Throws when the service runs on, or ends out of order. */
    async stop(onlyCtrlC = false): Promise<void> {
      if (onlyCtrlC) endGroup(npm, 'SIGINT');
      else npm.kill('SIGTERM');
      // Their output ends when the last process that writes to it has ended, whichever that is.
      await Promise.race([closed, once(AbortSignal.timeout(60_000), 'abort')]);
      const answers = await fetch(`${address}/health`).catch(() => undefined);
      if (answers || !printed.includes('"stopping"')) throw new Error(`It did not end in order: ${printed}`);
    },
  };
}

/** Throws when the service does not return a vector. */
async function embed({ address, key }: { address: string; key: string }, input: string): Promise<void> {
  const response = await requestEmbeddings(address, key, input);
  if (response.status !== 200) throw new Error(`embedding: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

/** Sends a signal to a command and all processes that it has started. */
function endGroup({ pid = 0 }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code !== 'ESRCH') throw reason;
  }
}
