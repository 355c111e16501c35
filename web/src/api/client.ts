import createClient from 'openapi-fetch';
import { problemOf, unreachable } from './problem.ts';
import type { paths } from './schema.ts';

/** The API, as docs/openapi.json describes it; the session's cookie goes along. */
export const api = createClient<paths>({ baseUrl: location.origin });

/** The body of a successful answer. Throws an ApiError for any other. */
export async function answered<Data>(
  call: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Data> {
  const { data, error, response } = await call.catch(() => {
    throw unreachable();
  });
  if (!response.ok) throw problemOf(response.status, error);
  return data as Data;
}
