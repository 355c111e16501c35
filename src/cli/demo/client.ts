/** The response to a request of the demo. */
export interface EmbedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** The fields of an embeddings response or an error that the demo uses. */
interface Body {
  readonly model?: string;
  readonly cached?: boolean;
  readonly data?: readonly { readonly embedding: readonly number[] }[];
  readonly error?: string;
  readonly message?: string;
}

/** Sends texts to `POST /v1/embeddings`. Throws when the response has a status other than `expected`. */
export type Embed = (input: readonly string[], expected: number) => Promise<EmbedResponse>;

export function embedClient(address: string, secret: string, signal: AbortSignal): Embed {
  return async (input, expected) => {
    const response = await fetch(`${address}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input }),
      signal,
    });
    const { status } = response;
    const text = await response.text();
    if (status !== expected) throw new Error(`Expected status ${expected}, got ${status}: ${text}`);
    return { status, headers: Object.fromEntries(response.headers), body: JSON.parse(text) };
  };
}
