import type { Command } from 'commander';
import { fieldsOf, parsedJson } from '../../../packages/small/src/json.ts';
import { readConfig } from '../../config/config.ts';
import { invalidRequest, notFound } from '../../errors.ts';
import { withoutControls } from '../../lib/harmless.ts';
import { maxPageLimit } from '../../lib/page.ts';
import type { SessionUser } from '../../organizations/access.ts';
import { requireCurrentSchema, requireData } from '../../service/core.ts';
import type { Users } from '../../users/users.ts';
import { json } from '../output.ts';
import { pruneKeysQuietly } from '../with-core.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const details = `
The command works whether the server runs or not, and acts as the oldest administrator who can sign in. It reaches the
operations that people use in the dashboard, and not those for API keys alone: see docs/routes.md. It loads no model, so
texts, keys with a default model, and the state of the models and of the service need the running server.

Examples:
  $ embedgate api GET /v1/organizations
  $ embedgate api POST "/v1/organizations/$ORG_ID/limits" '{"unit": "tokens", "window": "minute", "amount": 100000}'
  $ embedgate api PATCH "/v1/users/$USER_ID" '{"disabled": true}'
  $ embedgate api DELETE "/v1/organizations/$ORG_ID/vectors"`;

export function apiCommand(program: Command, environment: NodeJS.ProcessEnv): void {
  program
    .command('api')
    .description('send one request of the API as the oldest administrator, without a running server')
    .argument('<method>', methods.join(', '))
    .argument('<path>', 'such as /v1/organizations')
    .argument('[body]', 'JSON')
    .addHelpText('after', details)
    .action((name: string, path: string, body: string | undefined) => {
      const method = methods.find((known) => known === name.toUpperCase());
      if (!method) throw invalidRequest(`The method must be one of ${methods.join(', ')}`);
      if (!path.startsWith('/'))
        throw invalidRequest('The path must begin with /, such as /v1/organizations');
      return send(environment, { method, url: path, body });
    });
}

interface Sent {
  readonly method: (typeof methods)[number];
  readonly url: string;
  readonly body: string | undefined;
}

/** Sends the request to the service's own application, which does not listen, and prints the response's body. */
async function send(environment: NodeJS.ProcessEnv, { body, ...target }: Sent): Promise<void> {
  const config = readConfig(environment);
  requireData(config);
  await requireCurrentSchema(config);
  // Loaded here, because most commands do not need the HTTP application.
  const [{ openServices }, { buildApp }] = await Promise.all([
    import('../../service/services.ts'),
    import('../../app.ts'),
  ]);
  const services = await openServices({ ...config, logLevel: 'error' }, { loadsModels: false });
  try {
    const app = await buildApp(services, await administrator(services.users));
    const headers = { 'content-type': 'application/json' };
    // Links in responses have the address at which people on this machine reach the server.
    const authority = `localhost:${config.port}`;
    const response = await app.inject({
      ...target,
      authority,
      ...(body !== undefined && { headers, payload: body }),
    });
    await app.close();
    if (String(response.headers['content-type']).startsWith('text/html'))
      throw invalidRequest(`${target.url} is a page of the dashboard. The paths of the API begin with /v1`);
    print(response.statusCode, response.body);
    await pruneKeysQuietly(services);
  } finally {
    await services.close();
  }
}

function print(status: number, body: string): void {
  const parsed = parsedJson(body);
  if (body !== '') console.log(parsed === undefined ? withoutControls(body) : json(parsed));
  if (status < 400) return;
  // With ERROR_FORMAT=openai, the message is a field of `error`.
  const { error, message = fieldsOf(error).message } = fieldsOf(parsed);
  throw invalidRequest(`The response has status ${status}: ${message ?? 'no message'}`);
}

/** Returns the oldest administrator who can sign in. */
async function administrator(users: Users): Promise<SessionUser> {
  // Page by page, because the first of very many users is one.
  let after: string | undefined;
  do {
    const { data, next } = await users.list({ limit: maxPageLimit, after });
    const found = data.find(({ isAdmin, isDisabled }) => isAdmin && !isDisabled);
    if (found) return { ...found, sessionId: '' };
    after = next ?? undefined;
  } while (after !== undefined);
  throw notFound('There is no administrator: create one with "embedgate users create --admin"');
}
