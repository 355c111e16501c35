import { parentPort, type Transferable } from 'node:worker_threads';
import { asError } from '../errors.ts';

export type CallMessage<Request> = { call: number; request: Request } | 'close';
export type ThreadReply<Value> = { call: number; value: Value } | { call: number; error: Error };
/** The first message of a thread, sent when it is ready for calls. */
export type Started<Ready> = { ready: Ready };

/** The result of a call, and the buffers in it that move to the caller instead of being copied. */
export interface CallResult<Reply> {
  readonly value: Reply;
  readonly transfer: readonly Transferable[];
}

export interface ServingOptions {
  /** The value that `Thread.start` returns. */
  readonly ready?: unknown;
  /** Called before the thread ends. */
  readonly close?: () => unknown;
}

/**
 * The thread's side of `Thread`. Call it once, when the thread is ready for calls. Each call begins when it arrives,
 * even while others await something.
 */
export function serveCalls<Request, Reply>(
  answer: (request: Request) => Promise<CallResult<Reply>>,
  { ready = 'ready', close }: ServingOptions = {},
): void {
  const port = parentPort;
  if (!port) throw new Error('Not in a worker thread');
  port.on('message', async (message: CallMessage<Request>) => {
    if (message === 'close') {
      await close?.();
      // The port is all that keeps the thread alive.
      port.close();
      return;
    }
    const { call, request } = message;
    try {
      const { value, transfer } = await answer(request);
      port.postMessage({ call, value } satisfies ThreadReply<Reply>, transfer);
    } catch (error) {
      port.postMessage({ call, error: portable(asError(error)) } satisfies ThreadReply<Reply>);
    }
  });
  port.postMessage({ ready } satisfies Started<unknown>);
}

/** Returns the error as a message can carry it: with its cause, unless that can't be copied between threads. */
function portable(error: Error): Error {
  try {
    return structuredClone(error);
  } catch {
    return new Error(error.message);
  }
}
