import { parentPort, type Transferable } from 'node:worker_threads';

export type Answer = { value: unknown } | { error: string };

/** What a call answers with, and the buffers in it that move to the caller instead of being copied. */
export interface Result<Reply> {
  readonly value: Reply;
  readonly transfer: Transferable[];
}

/** The thread's side of `Thread`: call it once, when ready for calls. They come one at a time. */
export function answerCalls<Request, Reply>(answer: (request: Request) => Promise<Result<Reply>>): void {
  const port = parentPort;
  if (!port) throw new Error('Not in a worker thread');
  const post = (message: Answer, transfer: Transferable[] = []) => port.postMessage(message, transfer);
  port.on('message', async (request: Request) => {
    try {
      const { value, transfer } = await answer(request);
      post({ value }, transfer);
    } catch (error) {
      post({ error: error instanceof Error ? error.message : String(error) });
    }
  });
  post({ value: undefined });
}
