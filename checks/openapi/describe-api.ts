import swagger from '@fastify/swagger';
import fastify from 'fastify';
import { apiRoutes } from '../../src/app.ts';
import type { App } from '../../src/http/app-types.ts';
import type { Services } from '../../src/service/services.ts';
import { describeRoutes } from './describe-routes.ts';
import { completeDocument } from './document.ts';

const description = `A text-embedding API with its gate built in: \`POST /v1/embeddings\` is compatible with OpenAI’s API, so that its SDKs work unchanged.

**Errors** are \`{"error": code, "message": text}\`, or, with the header \`X-Error-Format: openai\`, have the format of OpenAI’s API. An unknown path is 404 \`not_found\`. An unknown method of a known path is 405 \`method_not_allowed\`, with \`Allow\`.

**Quotas** belong to organizations and are shared by all their keys. A request counts as one, whatever the number of texts. Requests that are answered from the cache, refused or failed are not counted. Every response to a request with a valid key shows the state of the quota: \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`.`;

/**
 * The tags of the operations, in the order of the document. An operation gets the first tag whose pattern matches its
 * path.
 */
const tags = [
  {
    name: 'Embeddings',
    description: 'Turn texts into vectors, and rerank documents.',
    paths: /\/(embeddings|rerank|models|tokenize)/,
  },
  {
    name: 'Batches',
    description: 'Many requests at once, from files, behind all others.',
    paths: /^\/v1\/(organizations\/:org_id\/)?(files|batches)/,
  },
  { name: 'Usage', description: 'The usage of a key and its organization.', paths: /\/usage/ },
  {
    name: 'Requests',
    description: 'The request log of an organization.',
    paths: /\/requests/,
  },
  {
    name: 'Organizations',
    description: 'Organizations, their tiers and their limits.',
    paths: /^\/v1\/(tiers|organizations(\/external\/:external_id|\/:org_id(\/access|\/tier|\/vectors)?)?)$/,
  },
  {
    name: 'Keys',
    description: 'The API keys of organizations, and those of the installation.',
    paths: /\/key(s|-links)/,
  },
  {
    name: 'Limits',
    description: 'Limits of organizations and keys, beside the quota of the tier.',
    paths: /\/limits/,
  },
  {
    name: 'Alerts',
    description: 'Alerts about the quota, alert settings and notification channels.',
    paths: /\/alert(s|-targets)/,
  },
  {
    name: 'Members',
    description: 'The members of an organization, and invitations.',
    paths: /\/:org_id\/(members|invitations)/,
  },
  {
    name: 'Sign-in',
    description: 'For people: sign in to get a session, which is a cookie.',
    paths: /^\/v1\/(auth|invitations)\//,
  },
  { name: 'Me', description: 'The caller’s own account.', paths: /^\/v1\/me/ },
  {
    name: 'Audit',
    description: 'Who has changed what.',
    paths: /\/audit/,
  },
  {
    name: 'Users',
    description: 'The users of the installation, for administrators.',
    paths: /^\/v1\/users/,
  },
  {
    name: 'Status',
    description:
      'For load balancers, monitoring and administrators. The routes outside `/v1` are public and never counted.',
    paths: /^\/(health|ready|metrics|v1\/service)$/,
  },
];

/** Returns the OpenAPI document, made from the schemas of the routes. */
export async function describeApi(services: Services): Promise<object> {
  const app: App = fastify();
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Embedgate',
        version: services.version,
        description,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags: tags.map(({ name, description }) => ({ name, description })),
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key: `sk_` and 64 lowercase hexadecimal characters.',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'embedgate.session_token',
            description:
              'The cookie that `POST /v1/auth/sign-in` sets. Over https, its name is `__Secure-embedgate.session_token`. A request that changes something must also send `Origin`, which browsers do by themselves.',
          },
        },
      },
    },
    transformObject: (made) =>
      'openapiObject' in made ? completeDocument(made.openapiObject) : made.swaggerObject,
  });
  describeRoutes(app);
  app.addHook('onRoute', ({ url, schema }) => {
    if (!schema || schema.hide) return;
    const tag = tags.find(({ paths }) => paths.test(url));
    if (!tag) throw new Error(`No tag matches the path ${url}`);
    schema.tags = [tag.name];
  });
  await apiRoutes(app, services);
  await app.ready();
  return app.swagger();
}
