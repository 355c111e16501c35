import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors.ts';
import type { Hold } from '../load/hold.ts';

type Done = (reason: Error | null, body?: Buffer) => void;

/**
 * Reads a body of at most `maxBytes`, and charges it to `hold` as it arrives. Fails with `payload_too_large`, with what `hold` throws, or
 * with `invalid_request` when the body is shorter or longer than it says.
 */
export function readBody(
  message: IncomingMessage,
  { maxBytes, hold }: { maxBytes: number; hold: Hold },
  done: Done,
): void {
  const { 'content-length': stated } = message.headers;
  if (Number(stated) > maxBytes) {
    done(tooLarge(maxBytes));
    return;
  }
  const chunks: Buffer[] = [];
  let length = 0;

  const end = (reason: Error | null, body?: Buffer): void => {
    message.off('data', onData).off('end', onEnd).off('error', onError);
    done(reason, body);
  };
  const onData = (chunk: Buffer): void => {
    length += chunk.length;
    chunks.push(chunk);
    try {
      if (length > maxBytes) throw tooLarge(maxBytes);
      hold.add(chunk.length);
    } catch (reason) {
      end(reason as Error);
    }
  };
  const onEnd = (): void => {
    if (stated !== undefined && Number(stated) !== length) {
      end(new ServiceError('invalid_request', 'The body is not as long as Content-Length says'));
    } else {
      end(null, chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length));
    }
  };
  const onError = (cause: Error): void => {
    end(new ServiceError('invalid_request', 'The connection ended before the body was complete', { cause }));
  };
  message.on('data', onData).on('end', onEnd).on('error', onError);
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError(
    'payload_too_large',
    `The body is larger than ${(maxBytes >> 10).toLocaleString('en-US')} KiB`,
  );
}
