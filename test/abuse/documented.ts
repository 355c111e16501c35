import { Check } from 'typebox/value';

type Json = { [name: string]: Json };

/** What openapi.json says about one operation, with every reference replaced by its target. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly queryNames: readonly string[];
  /** The schema of the body, or undefined if there is none. */
  readonly body: Json | undefined;
  readonly takesKey: boolean;
  readonly takesSession: boolean;
  readonly responses: Json;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export function operationsOf(document: unknown): Operation[] {
  const whole = document as Json;
  const { paths } = resolved(whole, whole);
  return Object.entries(paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const parameters = Object.values((operation.parameters ?? []) as unknown as Json[]);
      const security = (operation.security ?? []) as unknown as Json[];
      return {
        id: String(operation.operationId),
        method: method.toUpperCase(),
        path,
        queryNames: parameters.filter((one) => String(one.in) === 'query').map((one) => String(one.name)),
        body: operation.requestBody?.content?.['application/json']?.schema,
        takesKey: security.some((one) => 'apiKey' in one),
        takesSession: security.some((one) => 'session' in one),
        responses: operation.responses ?? {},
      };
    }),
  );
}

/**
 * Returns what is wrong with a response, or undefined. Unknown paths and methods have responses that no
 * operation documents.
 */
export function faultOf(
  operation: Operation | undefined,
  method: string,
  received: Received,
): string | undefined {
  const { status, headers, body } = received;
  if (status >= 500 && status !== 503) return `status ${status}`;
  if (!/^[\w-]+$/.test(String(headers['x-request-id']))) return `status ${status} without x-request-id`;
  const isKnown = operation !== undefined && operation.method === method;
  const response = isKnown ? operation.responses[status] : undefined;
  if (isKnown && !response) return `status ${status} is not documented`;
  if (!isKnown && status < 400 && !['HEAD', 'OPTIONS'].includes(method))
    return `status ${status} of what is not documented`;
  if (status === 204 || method === 'HEAD') return body === '' ? undefined : `a body of ${status}`;
  const type = String(headers['content-type']).split(';', 1)[0] ?? '';
  if (status >= 400 && !isKnown)
    return isError(body) ? undefined : `${status} has another shape: ${body.slice(0, 200)}`;
  const content = response?.content?.[type];
  if (!content) return response?.content ? `${status} has content type ${type}` : undefined;
  if (type !== 'application/json') return undefined;
  const value: unknown = parsed(body);
  return Check(content.schema ?? {}, value)
    ? undefined
    : `${status} has another shape: ${body.slice(0, 200)}`;
}

function isError(body: string): boolean {
  const value = parsed(body) as { error?: unknown; message?: unknown } | undefined;
  const error = value?.error;
  return typeof error === 'string' ? typeof value?.message === 'string' : typeof error === 'object';
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function resolved(node: unknown, document: Json): Json {
  if (Array.isArray(node)) return node.map((item) => resolved(item, document)) as unknown as Json;
  if (typeof node !== 'object' || node === null) return node as Json;
  const { $ref: reference } = node as { $ref?: string };
  if (reference === undefined) {
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolved(value, document)]));
  }
  const [, ...path] = reference.split('/');
  return resolved(
    path.reduce<Json | undefined>((place, name) => place?.[name], document),
    document,
  );
}
