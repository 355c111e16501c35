import type { IncomingMessage } from 'node:http';
import { asError, invalidRequest, ServiceError } from '../errors.ts';
import { runInTurn } from '../load/event-loop.ts';
import type { Hold } from '../load/hold.ts';

const fewChunks = 16_384;
const meanChunkBytes = 256;

/** What reading a body costs the event loop, most of it in Node's parser and in collecting its buffers. */
const msPerByte = 5e-6;
const msPerChunk = 2.5e-3;
/** A quarter of a megabyte, so that most bodies take no turn before they are parsed. */
const turnMs = 1.25;

const none: Buffer = Buffer.alloc(0);

/** The setting that bounds a body: of texts, or of anything else. */
export type BodyBound = 'MAX_BODY_KB' | 'MAX_FORM_KB';

/** `readMs` is the time of the event loop that the body took since its last turn. */
type Done = (reason: Error | null, body?: Buffer, readMs?: number) => void;

/**
 * Reads a body that a setting bounds, a large one in turns of the event loop, and charges it to `hold` as it arrives.
 * Fails with `payload_too_large`, with `request_timeout` after `BODY_TIMEOUT_SECONDS`, with the errors of `hold`, or
 * with `invalid_request` if the body has another length than `Content-Length` states.
 */
export function readBody(
  message: IncomingMessage,
  { bound, hold }: { bound: BodyBound; hold: Hold },
  done: Done,
): void {
  const maxBytes = maxBytesOf(bound, hold);
  const { 'content-length': stated } = message.headers;
  if (Number(stated) > maxBytes) {
    done(bodyTooLarge(bound, hold));
    return;
  }
  const largestBytes = Math.min(maxBytes, Number(stated ?? maxBytes));
  let buffer = none;
  let length = 0;
  let chunks = 0;
  let readMs = 0;

  let leftMs = hold.bounds.bodyTimeoutMs;
  let sinceMs = performance.now();
  const expire = () => end(tooSlow());
  let deadline = setTimeout(expire, leftMs);
  const end = (reason: Error | null, body?: Buffer): void => {
    clearTimeout(deadline);
    message.off('data', onData).off('end', onEnd).off('error', onError);
    done(reason, body, readMs);
  };
  const onData = (chunk: Buffer): void => {
    const needed = length + chunk.length;
    chunks += 1;
    try {
      if (needed > maxBytes) throw bodyTooLarge(bound, hold);
      requireChunks(chunks, needed);
      if (Number(stated) === chunk.length) {
        // Most bodies arrive in one chunk.
        hold.add(chunk.length);
        buffer = chunk;
      } else {
        if (needed > buffer.length) buffer = enlarged(buffer, needed, { largestBytes, hold });
        chunk.copy(buffer, length);
      }
      length = needed;
      readMs += chunk.length * msPerByte + msPerChunk;
      if (readMs < turnMs) return;
      const spentMs = readMs;
      readMs = 0;
      message.pause();
      // While the service pauses the body, the client's time does not run.
      clearTimeout(deadline);
      leftMs -= performance.now() - sinceMs;
      const resume = (): void => {
        sinceMs = performance.now();
        deadline = setTimeout(expire, leftMs);
        message.resume();
      };
      // If the request is closed meanwhile, the message has an error or nobody reads it.
      hold.takeLoopTurn().then(
        (turn) => runInTurn(turn, resume, spentMs),
        () => {},
      );
    } catch (reason) {
      end(asError(reason));
    }
  };
  const onEnd = (): void => {
    if (stated !== undefined && Number(stated) !== length) {
      end(invalidRequest('The length of the body differs from Content-Length'));
    } else {
      end(null, buffer.length === length ? buffer : buffer.subarray(0, length));
    }
  };
  const onError = (cause: Error): void => {
    end(invalidRequest('The connection ended before the body was complete', { cause }));
  };
  message.on('data', onData).on('end', onEnd).on('error', onError);
}

/** Returns a larger buffer with the body so far. A list of chunks would cost hundreds of bytes per chunk. */
function enlarged(
  buffer: Buffer,
  neededBytes: number,
  { largestBytes, hold }: { largestBytes: number; hold: Hold },
): Buffer {
  const capacity = Math.max(neededBytes, Math.min(largestBytes, 2 * buffer.length));
  hold.add(capacity - buffer.length);
  const larger = Buffer.allocUnsafe(capacity);
  buffer.copy(larger);
  return larger;
}

/**
 * Throws `invalid_request` if the `bytes` of a body arrive in many tiny chunks. Each chunk costs the parser
 * microseconds, so a few megabytes in chunks of one byte would take seconds.
 */
export function requireChunks(chunks: number, bytes: number): void {
  if (chunks > fewChunks && bytes < chunks * meanChunkBytes)
    throw invalidRequest('The body arrives in too many tiny chunks. Send at least 256 bytes in each');
}

export function tooSlow(): ServiceError {
  return new ServiceError('request_timeout', 'The body took too long to arrive (BODY_TIMEOUT_SECONDS)', {
    bound: 'BODY_TIMEOUT_SECONDS',
  });
}

export function maxBytesOf(bound: BodyBound, { bounds }: Hold): number {
  return bound === 'MAX_BODY_KB' ? bounds.maxBodyBytes : bounds.maxFormBytes;
}

export function bodyTooLarge(bound: BodyBound, hold: Hold): ServiceError {
  const kib = (maxBytesOf(bound, hold) >> 10).toLocaleString('en-US');
  const remedy = bound === 'MAX_BODY_KB' ? '. Send fewer texts per request.' : '';
  return new ServiceError('payload_too_large', `The body is larger than ${kib} KiB (${bound})${remedy}`, {
    bound,
  });
}
