import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// What every platform must do: start in a folder with a space, embed, make a key, back up, restore, stop in order and start again.
// It needs nothing but Node, so that it runs where the other tests don't yet.

const command = fileURLToPath(new URL('../bin/embedgate.js', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'embed gate '));
const [dataDir, restored, backup] = ['data', 'restored', 'backup.tar.gz'].map((name) =>
  join(directory, name),
) as [string, string, string];
const documented = [0.009434741, 0.027914213, -0.0038709152];

function start(args: string[], dataDir: string): ChildProcess & { printed(): string } {
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' };
  const child = spawn(process.execPath, [command, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let printed = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (chunk) => {
      printed += chunk;
    });
  return Object.assign(child, { printed: () => printed });
}

async function run(...args: string[]): Promise<string> {
  const child = start(args, args[0] === 'restore' ? restored : dataDir);
  const [code] = await once(child, 'close');
  assert.equal(code, 0, `embedgate ${args.join(' ')}: ${child.printed()}`);
  return child.printed();
}

/** Runs `body` with a service, which it then stops by closing its channel. */
async function serving(
  dataDir: string,
  body: (address: string, printed: string) => Promise<void>,
): Promise<void> {
  const child = start(['serve'], dataDir);
  // Node emits no `close` after `disconnect`.
  const ended = once(child, 'exit');
  let address: string | undefined;
  while (address === undefined) {
    if (child.exitCode !== null) throw new Error(child.printed());
    await new Promise((resolve) => setTimeout(resolve, 100));
    address = /listens on (http\S+)/.exec(child.printed())?.[1];
  }
  await body(address, child.printed());
  child.disconnect();
  assert.deepEqual(await ended, [0, null], child.printed());
}

/** Returns the first numbers of the text's vector. */
async function embed(address: string, key: string): Promise<number[]> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ input: 'The quick brown fox' });
  const response = await fetch(`${address}/v1/embeddings`, { method: 'POST', headers, body });
  const result = (await response.json()) as { data: { embedding: number[] }[] };
  assert.equal(response.status, 200, JSON.stringify(result));
  return result.data[0]!.embedding.slice(0, documented.length);
}

let key = '';
let other = '';
await serving(dataDir, async (address, printed) => {
  [key = ''] = /sk_\w+/.exec(printed) ?? [];
  assert.deepEqual(await embed(address, key), documented);
  const orgId = /Organization .*, (\S+)/.exec(printed)![1]!;
  other = /sk_\w+/.exec(
    await run('keys', 'create', '--org-id', orgId, '--user-id', 'u', '--name', 'beside'),
  )![0];
  await embed(address, other);
  for (const path of ['/login', '/docs', '/ready'])
    assert.equal((await fetch(address + path)).status, 200, path);
  await run('backup', '--to', backup);
});
await serving(dataDir, async (address) => {
  assert.deepEqual(await embed(address, key), documented);
  const headers = { authorization: `Bearer ${key}` };
  const { used } = (await (await fetch(`${address}/v1/usage`, { headers })).json()) as { used: number };
  assert.equal(used, 1, 'the text came from the cache, and did not count again');
});
await run('restore', '--from', backup);
await serving(restored, async (address) => {
  for (const secret of [key, other]) assert.deepEqual(await embed(address, secret), documented);
});
rmSync(directory, { recursive: true, force: true });
console.log('The service started, embedded, was backed up, restored and stopped in order.');
