import type { FastifyRequest } from 'fastify';
import type { ErrorFormat } from '../../errors.ts';
import { cohere } from './cohere/cohere.ts';
import type { Dialect } from './dialect.ts';
import { ollama } from './ollama/ollama.ts';
import { openai } from './openai/openai.ts';
import { own } from './own.ts';
import { tei } from './tei/tei.ts';
import { voyage } from './voyage/voyage.ts';

/** The dialects with paths of their own. */
export const dialects: readonly Dialect[] = [openai, cohere, tei, ollama, voyage];

/** By the values of `ERROR_FORMAT` and of the header `X-Error-Format`. */
export const chosenDialects: Readonly<Record<ErrorFormat, Dialect>> = { flat: own, openai };

type Asking = Pick<FastifyRequest, 'url' | 'headers'>;

/**
 * Returns the dialect of a request: the one that owns the path, otherwise the one that the header names, that of the
 * configuration, or the one that the client can read.
 */
export function dialectOf({ url, headers }: Asking, configured: ErrorFormat | null): Dialect {
  if (!/^\/v1\/(?!embed(\?|$))/.test(url)) {
    const path = url.split('?', 1)[0]!;
    const owner = dialects.find(({ owns }) => owns?.(path));
    if (owner) return owner;
  }
  const asked = headers['x-error-format'];
  if (asked === 'openai' || asked === 'flat') return chosenDialects[asked];
  return chosenDialects[configured ?? (isOpenaiSdk(headers) ? 'openai' : 'flat')];
}

/** OpenAI's SDKs show no message of another error, and those for Go and Rust fail to decode it. */
const isOpenaiSdk = (headers: Asking['headers']): boolean =>
  headers['x-stainless-lang'] !== undefined || /openai/i.test(headers['user-agent'] ?? '');
