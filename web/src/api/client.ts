import { base } from '../lib/base.ts';
import { learnTime } from '../lib/service-time.ts';
import { problemOf, unreachable } from './problem.ts';
import type { paths } from './schema.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];

type Given<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>;
type OrUndefined<T> = { [Name in keyof T]: T[Name] | undefined };
/** The parameters of a route's path and of its query, in one object. */
type Parameters<Route> = Route extends { parameters: { path?: infer Path; query?: infer Query } }
  ? Given<Path> & OrUndefined<Given<Query>>
  : unknown;
type Body<Route> = Route extends { requestBody?: { content: { 'application/json': infer B } } }
  ? B
  : undefined;
type Rest<Route> =
  undefined extends Body<Route>
    ? Partial<Parameters<Route>> extends Parameters<Route>
      ? [parameters?: Parameters<Route>]
      : [parameters: Parameters<Route>]
    : [parameters: Parameters<Route>, body: Body<Route>];
type Success<Route> = Route extends { responses: infer All }
  ? All[keyof All & (200 | 201 | 202 | 204)]
  : never;
type Data<Response> = Response extends { content: { 'application/json': infer D } } ? D : undefined;

/** The search parameters of a route that lists something, without those that name a page of the list. */
export type SearchOf<P extends PathWith<'get'>> = Omit<
  OrUndefined<NonNullable<paths[P]['get']['parameters']['query']>>,
  'limit' | 'after'
>;

/** A server that is gone may leave a request without any response. */
const timeoutMs = 30_000;

/**
 * Sends a request as docs/openapi.json describes it, with the session's cookie. Returns the body of a successful
 * response, and throws an ApiError for any other. Parameters that are undefined or empty are left out.
 */
export async function call<M extends Method, P extends PathWith<M>>(
  method: M,
  path: P,
  ...[parameters, body]: Rest<paths[P][M]>
): Promise<Data<Success<paths[P][M]>>> {
  let url: string = base + path;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((parameters ?? {}) as Record<string, unknown>)) {
    if (url.includes(`{${name}}`)) url = url.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (value !== undefined && value !== '') query.set(name, String(value));
  }
  const response = await fetch(query.size > 0 ? `${url}?${query}` : url, {
    method: method.toUpperCase(),
    headers: {
      // The format that names the field at fault.
      'X-Error-Format': 'openai',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => {
    throw unreachable();
  });
  learnTime(response.headers.get('date'));
  const data = await response.json().catch(() => undefined);
  if (!response.ok) throw problemOf(response.status, data);
  // The connection broke within the body.
  if (data === undefined && response.status !== 204) throw unreachable();
  return data;
}

/** Returns the rows of a response that lists them. */
export const rowsOf = async <Row>(list: Promise<{ data: Row[] }>): Promise<Row[]> => (await list).data;
