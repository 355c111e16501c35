import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { nativeKernel } from '../../../packages/encoder-native/src/index.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startLoad } from '../../helpers/load.ts';
import { startService } from '../../helpers/service.ts';

const hasPerl = spawnSync('perl', ['-v']).status === 0;
const skip =
  nativeKernel === undefined
    ? 'the native encoder is not built, or not for this processor'
    : !hasPerl && 'this needs perl, to send a signal to a thread';
const clients = 8;

test('a crash of the native encoder is named, and loses no count of a response', { skip }, async () => {
  using directory = temporaryDirectory();
  const options = { dataDir: directory.path };
  await using service = await startService(options);
  const { key } = service;
  const load = startLoad(service.address, [key], clients);
  await eventually(() => load.answered >= 50);
  signalThread(service.pid, encoderThread(service.pid), 11);
  assert.deepEqual(await service.exited, { code: null, signal: 'SIGSEGV' });
  assert.match(service.stderr(), /^The native encoder crashed\. Set NATIVE_ENCODER=off/m);
  await load.done;
  assert.equal(load.refused, 0);

  await using again = await startService(options);
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${again.address}/v1/usage`, { headers });
  const { used } = (await response.json()) as { used: number };
  assert.ok(load.answered <= used && used <= load.answered + load.unknown, `${used} of ${load.answered}`);
});

/** Only the encoder's threads have this niceness from the start of the service. */
function encoderThread(pid: number): string {
  const found = readdirSync(`/proc/${pid}/task`).find((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    // After the name, which can contain spaces: see proc_pid_stat(5).
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16] === '10';
  });
  assert.ok(found, 'there is a thread of the encoder');
  return found;
}

/** Calls tgkill(2). */
function signalThread(pid: number, thread: string, signal: number): void {
  const { status } = spawnSync('perl', ['-e', `syscall(234, ${pid}, ${thread}, ${signal}) == 0 or die`]);
  assert.equal(status, 0);
}
