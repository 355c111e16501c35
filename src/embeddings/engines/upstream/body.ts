import { UpstreamFailure } from './failures.ts';

/** Returns the body as text. Throws an UpstreamFailure when it is larger than `maxBytes`. */
export async function textOf(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new UpstreamFailure(`returns more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Parses JSON. Throws an UpstreamFailure when the text is not JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UpstreamFailure('returns a body that is not JSON');
  }
}
