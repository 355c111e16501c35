import { newId } from '../../src/lib/ids.ts';
import type { UsageDelta, UsageSink } from '../../src/usage/recorder.ts';

/** Adds deltas as a process does that writes nothing else. */
export function addUsage(sink: UsageSink, deltas: readonly UsageDelta[]): Promise<void> {
  return sink.add({ writerId: newId(), number: 1, deltas });
}
