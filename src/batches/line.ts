import type { Batch, BatchEndpoint } from './batch.ts';
import type { LineBody, Result } from './results.ts';

/** A line of a batch's file. */
export interface BatchLine {
  readonly customId: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface LineOutcome {
  readonly status: number;
  readonly requestId: string;
  readonly body: LineBody;
  readonly tokens: number;
  /** Whether nothing was computed, so that the line was not counted. */
  readonly cached: boolean;
}

/** Runs lines as the routes run requests. */
export interface Lines {
  /** Returns the result of a line that has failed. */
  failure(reason: Error): Pick<Result, 'status' | 'requestId' | 'body'>;
  /**
   * Reads on whose behalf a batch runs. Throws `invalid_api_key` if its key was revoked and not
   * replaced, and `forbidden` while its organization is suspended.
   */
  sender(batch: Batch): Promise<LineSender>;
}

export interface LineSender {
  /**
   * Returns the model that a line asks for, and how many texts it has. Throws `invalid_request` for a line that
   * the route would refuse, whatever its texts are.
   */
  check(
    endpoint: BatchEndpoint,
    body: BatchLine['body'],
  ): { readonly model: string; readonly fingerprint: string; readonly texts: number };
  /** Returns the fingerprint that a model's vectors have now. Undefined: it is not served any more. */
  fingerprintOf(model: string): string | undefined;
  /** Returns how many texts a line has that was checked. */
  texts(endpoint: BatchEndpoint, body: BatchLine['body']): number;
  /** Runs a line behind all requests, unless `stopping` aborts before it begins. Throws what the route would report. */
  run(
    endpoint: BatchEndpoint,
    body: BatchLine['body'],
    signal: AbortSignal,
    stopping: AbortSignal,
  ): Promise<LineOutcome>;
}
