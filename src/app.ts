import { existsSync } from 'node:fs';
import type { RequestListener, Server } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify from 'fastify';
import type { App } from './http/app-types.ts';
import { Connections } from './http/connections.ts';
import { lazyApp } from './http/lazy-app.ts';
import { buildValidator, loadValidation } from './http/lazy-validation.ts';
import { newServer } from './http/new-server.ts';
import { access } from './http/plugins/access.ts';
import { authenticate } from './http/plugins/authenticate.ts';
import { bounds } from './http/plugins/bounds.ts';
import { ClientErrors } from './http/plugins/client-error.ts';
import { cors } from './http/plugins/cors.ts';
import { drainConnections } from './http/plugins/drain.ts';
import { errorHandler, unroutableHandler } from './http/plugins/error-handler.ts';
import { identifiers } from './http/plugins/identifiers.ts';
import { identify } from './http/plugins/identify.ts';
import { jsonBody } from './http/plugins/json-body.ts';
import { rateLimitHeaders } from './http/plugins/rate-limit-headers.ts';
import { requestId, requestIdHeader } from './http/plugins/request-id.ts';
import { requestMetrics } from './http/plugins/request-metrics.ts';
import { securityHeaders } from './http/plugins/security-headers.ts';
import { singleHeaders } from './http/plugins/single-headers.ts';
import { unknownPage } from './http/plugins/unknown-page.ts';
import { unknownRoute } from './http/plugins/unknown-route.ts';
import { RateLimits } from './http/rate-limits.ts';
import { acceptInvitationRoutes } from './http/routes/accept-invitation.ts';
import { alertTargetRoutes } from './http/routes/alert-targets.ts';
import { alertRoutes } from './http/routes/alerts.ts';
import { authRoutes, callbackRoute } from './http/routes/auth.ts';
import { absentDashboard, dashboardPaths } from './http/routes/dashboard-paths.ts';
import { embeddingsRoute, ownEmbeddingsRoute } from './http/routes/embeddings.ts';
import { invitationRoutes } from './http/routes/invitations.ts';
import { keyRoutes } from './http/routes/keys.ts';
import { meRoutes } from './http/routes/me.ts';
import { memberRoutes } from './http/routes/members.ts';
import { modelsRoute } from './http/routes/models.ts';
import { organizationRoutes } from './http/routes/organizations.ts';
import { statusRoutes } from './http/routes/status.ts';
import { usageRoute } from './http/routes/usage.ts';
import { usageReportRoutes } from './http/routes/usage-reports.ts';
import { userRoutes } from './http/routes/users.ts';
import type { Services } from './services.ts';

/** Node's own bound for a request line and its headers. */
const maxHeaderBytes = 16 << 10;
const loadAfterStartMs = 500;
const dashboardDirectory = fileURLToPath(new URL('../web/dist', import.meta.url));

/** The whole HTTP application, not yet listening: plugins and routes, in order, by hand. */
export async function buildApp(services: Services): Promise<App> {
  const { load, config } = services;
  const connections = new Connections(load, config.trustedProxies, config.errorFormat);
  const app = bareApp(services, (handle) => newServer(load.bounds, connections, handle));
  app.addHook('onClose', async () => connections.close());
  bounds(app, load, connections);
  singleHeaders(app);
  await cors(app, config.corsOrigins);
  drainConnections(app, load);
  requestMetrics(app, services.metrics);
  lazyApp(app, ['/openapi.json', '/docs', '/docs/*'], () => buildDescribedApp(services));
  if (existsSync(join(dashboardDirectory, 'index.html'))) {
    unknownPage(
      app,
      lazyApp(app, dashboardPaths, () => buildDashboardApp(services)),
    );
  } else {
    services.log.warn('the dashboard is not built: npm run build -w web');
    absentDashboard(app);
  }
  await routes(app, services);
  // No start waits for these, but no embedding may fail, and no metrics be lost, because npm replaces the installation just then.
  app.addHook('onListen', async () => {
    setTimeout(async () => {
      try {
        loadValidation();
        await services.metrics.load();
      } catch (reason) {
        services.log.warn({ err: reason }, 'the validation of requests or the metrics can not be loaded yet');
      }
    }, loadAfterStartMs).unref();
  });
  return app;
}

/** The same routes with `/openapi.json` and `/docs`, which describe them. */
async function buildDescribedApp(services: Services): Promise<App> {
  const { openapi } = await import('./http/openapi/openapi.ts');
  const app = bareApp(services);
  await openapi(app, services.version);
  await routes(app, services);
  return app;
}

/** The browser's pages; all they know comes from the API. */
async function buildDashboardApp(services: Services): Promise<App> {
  const { dashboardRoutes } = await import('./http/routes/dashboard.ts');
  const app = bareApp(services);
  await dashboardRoutes(app, dashboardDirectory);
  return app;
}

function bareApp(services: Services, serverFactory?: (handle: RequestListener) => Server): App {
  const { config, load } = services;
  const limits = new RateLimits(services);
  const clientErrors = new ClientErrors(limits, load, config.errorFormat);
  const app: App = fastify({
    // As long as a request's headers may be: what no identifier is gets the response that an unknown one gets.
    routerOptions: { maxParamLength: maxHeaderBytes },
    bodyLimit: load.bounds.maxFormBytes,
    genReqId: requestId,
    clientErrorHandler: clientErrors.respond,
    frameworkErrors: unroutableHandler(limits, services.log, config),
    ...(serverFactory && { serverFactory }),
    return503OnClosing: false,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    // Answers are views made for the purpose: what compiles a serializer for each is not even loaded.
    schemaController: { compilersFactory: { buildValidator, buildSerializer: () => () => JSON.stringify } },
    // What a schema does not know is ignored, and nothing is turned into what it is not.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.decorateRequest('caller', undefined);
  app.decorateRequest('principal', null);
  app.decorateRequest('standing', 'stranger');

  errorHandler(app, services.log, config);
  clientErrors.watch(app);
  rateLimitHeaders(app, limits);
  securityHeaders(app, config.publicUrl);
  unknownRoute(app);
  requestIdHeader(app);
  jsonBody(app);
  return app;
}

async function routes(app: App, services: Services): Promise<void> {
  statusRoutes(app, services);
  await app.register(async (scope: App) => {
    authenticate(scope, services.authenticator);
    embeddingsRoute(scope, services);
    modelsRoute(scope, services);
    usageRoute(scope, services);
  });
  await app.register(async (scope: App) => {
    authRoutes(scope, services);
    acceptInvitationRoutes(scope, services);
    callbackRoute(scope, services);
  });
  await app.register(async (scope: App) => {
    identify(scope, services);
    identifiers(scope);
    access(scope, services);
    meRoutes(scope, services);
    userRoutes(scope, services);
    organizationRoutes(scope, services);
    keyRoutes(scope, services);
    memberRoutes(scope, services);
    invitationRoutes(scope, services);
    usageReportRoutes(scope, services);
    alertRoutes(scope, services);
    alertTargetRoutes(scope, services);
    ownEmbeddingsRoute(scope, services);
  });
}
