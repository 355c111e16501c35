import { fieldsOf } from '../../packages/small/src/json.ts';
import { noResponse } from '../../packages/small/src/no-response.ts';
import { retry } from '../../packages/small/src/retry.ts';
import { ConfigError } from '../../packages/small/src/settings.ts';
import { codeOf, messageOf } from '../errors.ts';
import type { PieceStore } from './file.ts';

export interface Bucket {
  /** The address of the bucket with any prefix, without a slash at the end. */
  readonly url: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
  /** Null: the one in the address, or else `us-east-1`. */
  readonly region: string | null;
}

/** The deadline of a call with its retries. A shutdown waits longer. */
const deadlineMs = 20_000;

/**
 * Stores each piece as an object of an S3-compatible bucket. First writes, reads and deletes a small object, and
 * throws a ConfigError if that fails. Later failures throw an Error with the status and S3's code, if the bucket
 * returned any.
 */
export async function openBucketPieces({ url, sessionToken, region, ...keys }: Bucket): Promise<PieceStore> {
  const { AwsClient } = await import('aws4fetch').catch((reason) => {
    throw new ConfigError(`FILES_URL: the optional package aws4fetch is not installed (${codeOf(reason)})`);
  });
  const optional = { ...(sessionToken && { sessionToken }), ...(region && { region }) };
  // The client's own retries would not include failures of the network.
  const client = new AwsClient({ ...keys, ...optional, service: 's3', retries: 0 });

  /** Returns the body of the response; undefined if there is no such object. */
  function call(method: string, pieceId: string, body: Uint8Array<ArrayBuffer> | null = null) {
    const signal = AbortSignal.timeout(deadlineMs);
    const init = { method, body, signal, redirect: 'manual' } as const;
    const attempt = async (): Promise<Uint8Array | undefined> => {
      const response = await client.fetch(`${url}/${pieceId}`, init);
      const { status, ok } = response;
      if (ok) return await response.bytes();
      const code = /<Code>(\w{1,64})</.exec(await response.text())?.[1];
      // A missing bucket is a 404 too.
      if (code === 'NoSuchKey' && method !== 'PUT') return undefined;
      throw Object.assign(new Error(`the bucket returned ${status} ${code ?? 'without a code'}`), { status });
    };
    const isPassing = (reason: unknown): boolean => {
      const { status = 500 } = fieldsOf(reason);
      return !signal.aborted && (Number(status) >= 500 || status === 429);
    };
    return retry(attempt, { isPassing, maxAttempts: 3, pauseMs: 200, signal });
  }

  const pieces: PieceStore = {
    put: async (pieceId, bytes) => void (await call('PUT', pieceId, bytes as Uint8Array<ArrayBuffer>)),
    get: (pieceId) => call('GET', pieceId),
    delete: async (pieceId) => void (await call('DELETE', pieceId)),
  };
  try {
    await pieces.put('check', Buffer.from('Embedgate can store files here.'));
    await pieces.get('check');
    await pieces.delete('check');
  } catch (reason) {
    const why = fieldsOf(reason).cause ? ` (${noResponse(reason)})` : '';
    throw new ConfigError(`FILES_URL: ${messageOf(reason)}${why}`);
  }
  return pieces;
}
