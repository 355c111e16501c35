import { type TextRefused, TextTooLong } from '../../packages/engine/src/index.ts';
import { invalidRequest, ServiceError, unavailable } from '../errors.ts';

/** Returns the error for a client whose request has the refused text at `index` of the field `param`. */
export function invalidText(refused: TextRefused, index: number, param = 'input'): ServiceError {
  if (refused instanceof TextTooLong)
    return invalidRequest(
      `${param}[${index}] ${faultOf(refused)}. Shorten it, or send "truncate": true to have it cut.`,
      { param, fault: 'text too long' },
    );
  return invalidRequest(
    `${param}[${index}]: the model refuses this text, or has no usable result for it. Change it or leave it ` +
      'out: repeating the request does not help.',
    { param, cause: refused },
  );
}

function faultOf({ tokenCount, maxTokens }: TextTooLong): string {
  if (tokenCount === null) return 'is longer than the model reads';
  const most = inWords(maxTokens);
  const count = Number.isFinite(tokenCount) ? inWords(tokenCount) : `more than ${most}`;
  return `has ${count} tokens; the model reads at most ${most}`;
}

const inWords = (count: number): string => count.toLocaleString('en-US');

/** The error for a text that the engine could not compute, although the other texts of its batch may succeed. */
export class TextFailed extends ServiceError {
  constructor(reason: Error) {
    const { code, message, retryAfterSeconds, cause } = unavailable(reason);
    super(code, message, { cause, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });
  }
}
