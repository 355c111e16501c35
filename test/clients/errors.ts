import assert from 'node:assert/strict';

/** What a client returned to its user, or the error. */
export interface Answer {
  readonly vectors?: readonly (readonly number[])[];
  readonly error?: { readonly type: string; readonly status: number | null; readonly message: string };
}

interface Expected {
  readonly status: number | null;
  readonly message: RegExp;
}

/** The status and the message by which a user knows what to do. */
export const errors = {
  wrongKey: { status: 401, message: /Invalid API key/ },
  paced: { status: 429, message: /[Ll]imit/ },
  usedUp: { status: 429, message: /Monthly quota exhausted\. Resets on \d{4}-\d\d-01T00:00:00Z/ },
  unavailable: { status: 503, message: /The service is temporarily unavailable\. Try again shortly\./ },
  tooLong: { status: 400, message: /reads at most 256/ },
  empty: { status: 400, message: /must not be empty/ },
} satisfies Record<string, Expected>;

export type ErrorCase = keyof typeof errors;

/** The clients that show something else. */
const exceptions: Readonly<Record<string, Partial<Record<ErrorCase, Partial<Expected>>>>> = {
  // text-embeddings-inference has this status.
  huggingface_hub: { tooLong: { status: 422 }, empty: { status: 422 } },
  // It sends no such request.
  'langchain4j-open-ai': { empty: { status: null, message: /blank/ } },
  // It replaces the message of each 503.
  voyageai: { unavailable: { message: /./ } },
};

export function assertError(client: string, of: ErrorCase, answer: Answer | undefined): void {
  const { status, message } = { ...errors[of], ...exceptions[client]?.[of] };
  assert.equal(answer?.error?.status, status, `${of}: ${messageOf(answer)}`);
  assert.match(messageOf(answer), message);
}

export const messageOf = (answer: Answer | undefined): string =>
  answer?.error?.message ?? JSON.stringify(answer)?.slice(0, 200) ?? 'no answer';
