import { once } from 'node:events';
import { eventually } from '../helpers/eventually.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { type Checkout, endGroup } from './checkout.ts';

// Only for a service that hangs.
const startDeadlineMs = 200_000;
const stopDeadlineMs = 60_000;

/** A service that `npm start` runs, as a reader of the README starts it. */
export interface Started {
  readonly address: string;
  readonly key: string;
  /** Sends SIGTERM to npm alone, or Ctrl-C to all. Throws when the service runs on. */
  kill(onlyCtrlC?: boolean): Promise<void>;
}

export async function npmStart(checkout: Checkout): Promise<Started> {
  const npm = checkout.start('npm', 'start');
  let printed = '';
  for (const stream of [npm.stdout, npm.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
    });
  }
  const closed = once(npm, 'close');
  const welcome = () => /listens on (http\S+)[\s\S]*API key +(sk_\w+)/.exec(printed);
  try {
    await eventually(() => welcome() !== null || npm.exitCode !== null, { withinMs: startDeadlineMs });
  } catch {
    endGroup(npm, 'SIGKILL');
  }
  const [, address, key] = welcome() ?? [];
  if (!address || !key) throw new Error(`npm start: ${printed}`);
  return {
    address,
    key,
    async kill(onlyCtrlC = false) {
      if (onlyCtrlC) endGroup(npm, 'SIGINT');
      else npm.kill('SIGTERM');
      // Their output ends when the last process that writes to it has ended, whichever that is.
      const deadline = AbortSignal.timeout(stopDeadlineMs);
      await Promise.race([closed, once(deadline, 'abort')]);
      const answers = await fetch(`${address}/health`).then(
        () => true,
        () => false,
      );
      if (answers || deadline.aborted) throw new Error(`kill of npm leaves the service running: ${printed}`);
      if (!printed.includes('"stopping"')) throw new Error(`The service did not end in order: ${printed}`);
    },
  };
}

/** Throws when the service does not return a vector. */
export async function embed({ address, key }: Started, input: string): Promise<void> {
  const response = await requestEmbeddings(address, key, input);
  if (response.status !== 200) throw new Error(`embedding: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}
