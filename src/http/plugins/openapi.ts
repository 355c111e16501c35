import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { App } from '../app-types.ts';

/** `/docs` and what `/openapi.json` answers, made from the routes' own schemas. To be registered before the routes. */
export async function openapi(app: App, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Embedgate',
        version,
        description:
          'A text-embedding API with its gate built in. Errors are `{"error": code, "message": text}`, or, with the ' +
          'header `X-Error-Format: openai`, in the shape of OpenAI’s API. Every response to an authenticated request ' +
          'has `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: {
        securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, `sk_…`' } },
      },
    },
  });
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true });
}

export function openapiRoute(app: App): void {
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
}
