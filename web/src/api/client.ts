import createClient from 'openapi-fetch';
import { problemOf, unreachable } from './problem.ts';
import type { paths } from './schema.ts';

/** A server that is gone may leave a request without any response. */
const timeoutMs = 30_000;

/** The API, as docs/openapi.json describes it. Requests include the session's cookie. */
export const api = createClient<paths>({
  baseUrl: location.origin,
  // The format that names the field at fault.
  headers: { 'X-Error-Format': 'openai' },
  fetch: (request) => fetch(request, { signal: AbortSignal.timeout(timeoutMs) }),
});

/** Returns the body of a successful response. Throws an ApiError for any other. */
export async function answered<Data>(
  call: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Data> {
  const { data, error, response } = await call.catch(() => {
    throw unreachable();
  });
  if (!response.ok) throw problemOf(response.status, error);
  return data as Data;
}
