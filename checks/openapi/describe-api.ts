import swagger from '@fastify/swagger';
import fastify from 'fastify';
import { apiRoutes } from '../../src/app.ts';
import type { App } from '../../src/http/app-types.ts';
import type { Services } from '../../src/service/services.ts';
import { completeDocument } from './document.ts';

const description = `A text-embedding API with its gate built in: \`POST /v1/embeddings\` takes and answers what OpenAI’s API does, so that its SDKs work unchanged.

**Errors** are \`{"error": code, "message": text}\`, or, with the header \`X-Error-Format: openai\`, in the shape of OpenAI’s API. A path that does not exist is 404 \`not_found\`; another method of one that does is 405 \`method_not_allowed\`, with \`Allow\`.

**Quotas** are the organization’s, shared by all its keys. A request that computes counts as one, whatever the number of texts. One that is answered from the cache, is refused or fails is not counted. Every response to a request with a valid key tells where the organization stands: \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`.`;

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
      tags: [
        { name: 'Embeddings', description: 'Texts in, vectors out.' },
        { name: 'Usage', description: 'What a key and its organization have used.' },
        { name: 'Organizations', description: 'Who has a quota: organizations, their tiers and limits.' },
        { name: 'Keys', description: 'An organization’s API keys.' },
        {
          name: 'Alerts',
          description: 'What an organization is told about its quota, and where that is sent.',
        },
        { name: 'Members', description: 'Who belongs to an organization, and who is invited.' },
        { name: 'Sign-in', description: 'For people: a session, in a cookie.' },
        { name: 'Me', description: 'The caller.' },
        { name: 'Users', description: 'The installation’s people, for administrators.' },
        { name: 'Status', description: 'For load balancers and monitoring: public, never counted.' },
      ],
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
              'What `POST /v1/auth/sign-in` sets; `__Secure-embedgate.session_token` where the service is reached by https. A request that changes something must say where it comes from: `Origin`, which browsers send by themselves.',
          },
        },
      },
    },
    transformObject: (made) =>
      'openapiObject' in made ? completeDocument(made.openapiObject) : made.swaggerObject,
  });
  await apiRoutes(app, services);
  await app.ready();
  return app.swagger();
}
