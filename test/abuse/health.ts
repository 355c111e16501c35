import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { RunningService } from '../helpers/service.ts';

const mebibyte = 1 << 20;

/** What a service reports about itself. */
export interface Health {
  readonly residentBytes: number;
  readonly heldBytes: number;
  readonly connections: number;
  readonly openFiles: number;
}

export async function healthOf({ address }: RunningService): Promise<Health> {
  const text = await (await fetch(`${address}/metrics`)).text();
  const value = (name: string): number => {
    const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
    assert.ok(line, name);
    return Number(line.split(' ')[1]);
  };
  return {
    residentBytes: value('embedgate_process_resident_memory_bytes'),
    heldBytes: value('embedgate_held_bytes'),
    connections: value('embedgate_connections'),
    openFiles: value('embedgate_process_open_fds'),
  };
}

/**
 * Waits until the service no longer holds anything for its clients, and no more memory than `before` plus
 * `extraMebibytes`. Fails after five minutes with what it still holds.
 */
export async function recovers(
  service: RunningService,
  before: Health,
  extraMebibytes: number,
): Promise<void> {
  let now = before;
  for (let second = 0; second < 300; second++) {
    now = await healthOf(service);
    const extra = (now.residentBytes - before.residentBytes) / mebibyte;
    if (
      now.heldBytes === 0 &&
      now.connections <= 8 &&
      now.openFiles <= before.openFiles + 20 &&
      extra <= extraMebibytes
    )
      return;
    await setTimeout(1_000);
  }
  assert.fail(`before ${JSON.stringify(before)}, five minutes after ${JSON.stringify(now)}`);
}

/** Checks whether the process still serves, and what it has logged as a defect of its own. */
export async function isSound(service: RunningService): Promise<void> {
  assert.equal((await fetch(`${service.address}/ready`)).status, 200);
  const defects = service
    .stderr()
    .split('\n')
    .filter((line) => /"level":(50|60)/.test(line) || (line !== '' && !line.startsWith('{')));
  assert.deepEqual(defects, []);
}
