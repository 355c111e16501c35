import type { OnProgress } from '../keys/signing-rotation.ts';

/** Runs `body` with a progress bar on stderr if that is a terminal, otherwise without. `format` formats an amount. */
export async function withProgress<R>(
  what: string,
  body: (onProgress: OnProgress) => Promise<R>,
  format: (amount: number) => string = String,
): Promise<R> {
  if (!process.stderr.isTTY) return body(() => {});
  const { SingleBar } = await import('cli-progress');
  const bar = new SingleBar({
    format: `${what} {bar} {value}/{total}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    clearOnComplete: true,
    stream: process.stderr,
    formatValue: (value, _options, type) =>
      type === 'value' || type === 'total' ? format(value) : String(value),
  });
  try {
    return await body((done, total) => (done === 0 ? bar.start(total, 0) : bar.update(done)));
  } finally {
    bar.stop();
  }
}
