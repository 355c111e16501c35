import { parentPort, type Transferable } from 'node:worker_threads';

export type Message<Request> = { request: Request } | 'close';
export type Answer<Reply> = { value: Reply } | { error: string };
/** The first message of a thread that can be called. */
export type Started<Ready> = { ready: Ready };

/** What a call answers with, and the buffers in it that move to the caller instead of being copied. */
export interface Result<Reply> {
  readonly value: Reply;
  readonly transfer: readonly Transferable[];
}

/**
 * The thread's side of `Thread`: to be called once, when ready for calls. They come one at a time. `ready` is what
 * `Thread.start` answers.
 */
export function answerCalls<Request, Reply>(
  answer: (request: Request) => Promise<Result<Reply>>,
  ready: unknown = 'ready',
): void {
  const port = parentPort;
  if (!port) throw new Error('Not in a worker thread');
  port.on('message', async (message: Message<Request>) => {
    // Nothing else keeps the thread alive.
    if (message === 'close') return port.close();
    try {
      const { value, transfer } = await answer(message.request);
      port.postMessage({ value } satisfies Answer<Reply>, transfer);
    } catch (error) {
      port.postMessage({
        error: error instanceof Error ? error.message : String(error),
      } satisfies Answer<Reply>);
    }
  });
  port.postMessage({ ready } satisfies Started<unknown>);
}
