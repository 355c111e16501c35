import { ErrorBody } from '../../src/api/error.ts';
import type { Access, App } from '../../src/http/app-types.ts';
import { scopes } from '../../src/keys/rights.ts';
import { type Action, may, type Role, scopeFor } from '../../src/organizations/access.ts';
import { exampleOf, type Schema } from './examples.ts';

/**
 * Completes the schemas of all documented routes with whatever follows from their method, path and `config.access`: the
 * credentials they accept, who may call them, and the errors they can return. Routes name only their other errors.
 */
export function describeRoutes(app: App): void {
  app.addHook('onRoute', ({ method, url, config, schema }) => {
    if (method === 'HEAD' || !schema || schema.hide) return;
    const access = config?.access;
    const errors = errorStatuses({ isRead: method === 'GET', url, access });
    schema.response = {
      ...Object.fromEntries(errors.map((status) => [status, ErrorBody])),
      ...Object(schema.response),
    };
    for (const body of Object.values(Object(schema.response)) as Schema[]) {
      if (body.title !== undefined) body.examples ??= [exampleOf(body)];
    }
    if (access === undefined) return;
    const isForPeople = !isForKeysOnly(url, access);
    const credentials = [takesKey(access) && { apiKey: [] }, isForPeople && { session: [] }];
    Object.assign(schema, { [withLimits]: hasLimits(url, access) });
    schema.security = credentials.filter((one) => one !== false);
    const { description } = schema;
    const who = isForPeople ? whoMay(access, url) : keysThatMay(access as Action);
    schema.description = `${description === undefined ? '' : `${description}\n\n`}For: ${who}.`;
  });
}

interface Route {
  readonly isRead: boolean;
  readonly url: string;
  /** Undefined for public routes. */
  readonly access: Access | undefined;
}

function errorStatuses({ isRead, url, access }: Route): number[] {
  const isOpenToAll = access === undefined && isRead;
  return [
    ...[400, 408, 431, 503],
    ...(isRead ? [] : [413, 415]),
    ...(/\/(embeddings|rerank|tokenize)$/.test(url) ? [410, 412] : []),
    ...(access === undefined ? [] : [401]),
    ...(url.startsWith('/v1/') ? [500] : []),
    ...(url.startsWith('/v1/') && !isOpenToAll ? [403] : []),
    ...(url.includes('/:') || (!isRead && /\/(batches|rerank|tokenize)$/.test(url)) ? [404] : []),
    ...(access !== undefined && takesKey(access) ? [429] : []),
  ];
}

function takesKey(access: Access): boolean {
  if (access === 'user') return false;
  return access === 'identified' || scopeFor(access) !== null;
}

/** The organization is that of the key, so the path names none. */
const isForKeysOnly = (url: string, access: Access): boolean =>
  !url.includes('/:org_id') && access !== 'identified' && takesKey(access) && !isOfInstallation(url);

/** The route is about the installation, and its path names no organization. */
const isOfInstallation = (url: string): boolean =>
  /^\/v1\/(alerts|audit|keys|limits|service|users|usage\/organizations|organizations$|organizations\/external)/.test(
    url,
  );

/** Marks a route whose responses have the rate limit headers: a key of an organization may use it. */
export const withLimits = 'x-with-limits';
const hasLimits = (url: string, access: Access): boolean => {
  if (!takesKey(access) || isOfInstallation(url)) return false;
  const scope = access === 'identified' ? 'read' : scopeFor(access as Action);
  return scope === 'any' || scopes.some((one) => one === scope);
};

function keysThatMay(action: Action): string {
  const scope = scopeFor(action);
  return scope === 'any' ? 'any API key' : `API keys with \`${scope}\``;
}

/** Names of the relations in the descriptions. Administrators may do everything. */
const names: readonly [Role, string][] = [
  ['viewer', 'viewers'],
  ['member', 'members'],
  ['admin', 'admins'],
  ['owner', 'owners'],
];

function whoMay(access: Access, url: string): string {
  if (access === 'identified') return 'API keys with `read`, anyone who is signed in';
  if (access === 'user') return 'anyone who is signed in';
  const allowed = url.includes('/:org_id') ? names.filter(([relation]) => may(relation, access)) : [];
  const keys = scopeFor(access) === null ? [] : [keysThatMay(access)];
  return [...keys, ...allowed.map(([, name]) => name), 'administrators'].join(', ');
}
