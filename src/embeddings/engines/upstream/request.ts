import type { UpstreamSettings } from '../settings.ts';
import { type Answer, readAnswer } from './answer.ts';
import type { Call } from './endpoint.ts';
import { mostTokens } from './upstream-text.ts';

/** What the upstream is asked to write vectors as. */
export type Encoding = 'base64' | 'float';

interface Form {
  readonly encoding: Encoding;
  /** Undefined while nobody knows. */
  readonly dimensions: number | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Of one number, with all that stands around it: JSON of a float64 has at most 24 characters, and some servers indent it. */
const maxNumberBytes = 64;
const maxEnvelopeBytes = 65_536;
/** Of an answer whose vectors have a size that nobody knows yet. */
const maxDimensions = 65_536;

/** A call that asks for the vectors of texts. */
export function requestFor(
  texts: readonly string[],
  { model }: Pick<UpstreamSettings, 'model'>,
  { encoding, dimensions, timeoutMs, signal }: Form,
): Call<Answer> {
  // Servers refuse an empty text; a space says as little.
  const input = texts.map((text) => text || ' ');
  return {
    body: JSON.stringify({ model, input, encoding_format: encoding }),
    maxAnswerBytes: texts.length * (dimensions ?? maxDimensions) * maxNumberBytes + maxEnvelopeBytes,
    timeoutMs,
    signal,
    read: (json) => readAnswer(json, { texts: texts.length, dimensions, maxPromptTokens: mostTokens(input) }),
  };
}
