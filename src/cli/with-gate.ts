import { readConfig } from '../config/config.ts';
import { type Gate, openGate, requireData } from '../gate.ts';
import { systemClock } from '../lib/clock.ts';

/**
 * Opens keys, organizations and usage as the environment says, for as long as `body` runs. Throws `not_found` and creates
 * nothing where there is no data, unless the command is one that may begin with an empty data directory.
 */
export async function withGate<R>(
  environment: NodeJS.ProcessEnv,
  body: (gate: Gate) => Promise<R>,
  options: { mayCreate?: boolean } = {},
): Promise<R> {
  const config = readConfig(environment);
  if (!options.mayCreate) requireData(config);
  const gate = await openGate(config, systemClock);
  try {
    return await body(gate);
  } finally {
    await gate.close();
  }
}
