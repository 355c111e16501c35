import { readConfig } from '../config/config.ts';
import { type Gate, openGate } from '../gate.ts';
import { systemClock } from '../lib/clock.ts';

/** Opens keys, organizations and usage as the environment says, for as long as `body` runs. */
export async function withGate<R>(
  environment: NodeJS.ProcessEnv,
  body: (gate: Gate) => Promise<R>,
): Promise<R> {
  const gate = await openGate(readConfig(environment), systemClock);
  try {
    return await body(gate);
  } finally {
    await gate.close();
  }
}
