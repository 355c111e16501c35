import type { IncomingMessage } from 'node:http';
import compress from '@fastify/compress';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify from 'fastify';
import { ConfigError } from './config/config.ts';
import type { App } from './http/app-types.ts';
import { forKeys, forPeople } from './http/audience.ts';
import { batchLines } from './http/batch-lines.ts';
import { Connections, drainConnections } from './http/connections.ts';
import { chosenDialects, dialects } from './http/dialects/dialects.ts';
import { newServer } from './http/new-server.ts';
import { withoutPrefix } from './http/origin.ts';
import { access } from './http/plugins/access.ts';
import { auditing } from './http/plugins/audit.ts';
import { authenticate } from './http/plugins/authenticate.ts';
import { bounds, passwordSender } from './http/plugins/bounds.ts';
import { clientAddress } from './http/plugins/client-address.ts';
import { cors } from './http/plugins/cors.ts';
import { errorHandler, unroutableHandler } from './http/plugins/error-handler.ts';
import { identifiers, identify } from './http/plugins/identify.ts';
import { jsonBody } from './http/plugins/json-body.ts';
import { queryNumbers } from './http/plugins/query-numbers.ts';
import { requestHeaders } from './http/plugins/request-headers.ts';
import { onEachResponse, requestId, responseHeaders } from './http/plugins/response-headers.ts';
import { tracing } from './http/plugins/tracing.ts';
import { unknownRoute } from './http/plugins/unknown-route.ts';
import { RateLimits } from './http/rate-limits.ts';
import { acceptInvitationRoutes } from './http/routes/accept-invitation.ts';
import { alertRoutes } from './http/routes/alerts.ts';
import { auditRoutes } from './http/routes/audit.ts';
import { authRoutes, callbackRoute } from './http/routes/auth.ts';
import { batchRoutes } from './http/routes/batches.ts';
import { channelRoutes, confirmAddressRoute } from './http/routes/channels.ts';
import { apiDocsRoutes, dashboardRoutes } from './http/routes/dashboard.ts';
import { embeddingsRoute } from './http/routes/embeddings.ts';
import { fileRoutes } from './http/routes/files.ts';
import { invitationRoutes } from './http/routes/invitations.ts';
import { keyRoutes, openKeyRoute } from './http/routes/keys.ts';
import { limitRoutes } from './http/routes/limits.ts';
import { meRoutes } from './http/routes/me.ts';
import { memberRoutes } from './http/routes/members.ts';
import { modelsRoute } from './http/routes/models.ts';
import { organizationRoutes } from './http/routes/organizations.ts';
import { requestRoutes } from './http/routes/requests.ts';
import { rerankRoute } from './http/routes/rerank.ts';
import { serviceRoute, statusRoutes } from './http/routes/status.ts';
import { tokenizeRoute } from './http/routes/tokenize.ts';
import { usageReportRoutes, usageRoute } from './http/routes/usage-reports.ts';
import { userRoutes } from './http/routes/users.ts';
import { staticFiles } from './http/static-files.ts';
import { validatorOf } from './http/validator-of.ts';
import { publicPath } from './lib/public-path.ts';
import type { SessionUser } from './organizations/access.ts';
import type { Services } from './service/services.ts';

/** Node's own bound for a request line and its headers. */
const maxHeaderBytes = 16 << 10;
/** Shorter responses are sent as they are. */
const leastCompressedBytes = 1_024;
const compressedTypes = /^(application\/json|text\/csv)\b/;

/**
 * Returns the HTTP application, not yet listening. Its plugins and routes are in explicit order. If `operator` is
 * given, requests to routes for signed-in users need no session, and act as this user.
 */
export async function buildApp(services: Services, operator?: SessionUser): Promise<App> {
  const { load, config } = services;
  const dialect = chosenDialects[config.errorFormat ?? 'flat'];
  const connections = new Connections(load, config.trustedProxies, dialect);
  const prefix = publicPath(config.publicUrl);
  const app = bareApp(services, connections, prefix);
  bounds(app, load, services);
  if (services.traces) tracing(app, services.traces);
  auditing(app, services, operator !== undefined);
  requestHeaders(app);
  await cors(app, config.corsOrigins);
  unknownRoute(app);
  drainConnections(app, load, connections);
  await staticFiles(app);
  if (!dashboardRoutes(app, prefix)) services.log.warn('the dashboard is not built: npm run build -w web');
  apiDocsRoutes(app, prefix);
  await apiRoutes(app, services, operator);
  for (const { publicRoutes } of dialects) publicRoutes?.(app, services);
  for (const { routes } of dialects) {
    await app.register(async (scope: App) => {
      authenticate(scope, services.authenticator);
      routes?.(scope, services);
    });
  }
  app.addHook('onListen', async () => services.batchRunner.begin(batchLines(services)));
  return app;
}

function bareApp(services: Services, connections: Connections, prefix: string): App {
  const { config, load } = services;
  const addHeaders = responseHeaders(new RateLimits(services), config.publicUrl);
  const app: App = fastify({
    // As long as a request's headers may be, so that an invalid identifier gets the same response as an unknown one.
    routerOptions: { maxParamLength: maxHeaderBytes },
    genReqId: requestId,
    ...(prefix && { rewriteUrl: ({ url = '/' }: IncomingMessage) => withoutPrefix(url, prefix) }),
    clientErrorHandler: connections.refuseMalformed,
    frameworkErrors: unroutableHandler(addHeaders, services.log, config),
    serverFactory: (handle) => newServer(load.bounds, connections, handle),
    // `drainConnections` ends connections, and `serve` bounds how long that takes.
    forceCloseConnections: false,
    pluginTimeout: 0,
    return503OnClosing: false,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    // Responses are views made for the purpose, so no serializer has to leave anything out.
    schemaController: { compilersFactory: { buildSerializer: () => () => JSON.stringify } },
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(validatorOf);
  app.decorateRequest('caller', undefined);
  app.decorateRequest('servedModel', '');
  app.decorateRequest('textCount', 0);
  app.decorateRequest('embedded', null);
  app.decorateRequest('queueMs', 0);
  app.decorateRequest('failure', null);
  app.decorateRequest('span', undefined);
  app.decorateRequest('principal', null);
  app.decorateRequest('relation', 'stranger');

  if (prefix) refuseOwnPath(app, prefix);
  if (config.trustedProxies.length > 0) clientAddress(app);
  errorHandler(app, services.log, config);
  onEachResponse(app, addHeaders);
  jsonBody(app);
  queryNumbers(app);
  return app;
}

/** Throws a ConfigError for a route below the path of PUBLIC_URL, which would lose its beginning. */
function refuseOwnPath(app: App, prefix: string): void {
  app.addHook('onRoute', ({ url }) => {
    if (!`${url}/`.startsWith(`${prefix}/`)) return;
    throw new ConfigError(`PUBLIC_URL: its path ${prefix} is also one of the service; use another one`);
  });
}

/** Registers the routes that docs/openapi.json describes. */
export async function apiRoutes(app: App, services: Services, operator?: SessionUser): Promise<void> {
  statusRoutes(app, services);
  await app.register(async (scope: App) => {
    authenticate(scope, services.authenticator);
    embeddingsRoute(scope, services, forKeys());
    rerankRoute(scope, services);
    tokenizeRoute(scope, services, forKeys());
    usageRoute(scope, services);
    batchRoutes(scope, services, forKeys());
    await scope.register(async (forms: App) => fileRoutes(forms, services, forKeys()));
  });
  await app.register(async (scope: App) => {
    passwordSender(scope);
    authRoutes(scope, services);
    acceptInvitationRoutes(scope, services);
    openKeyRoute(scope, services);
    confirmAddressRoute(scope, services);
    callbackRoute(scope, services);
  });
  await app.register(async (scope: App) => {
    await scope.register(compress, {
      threshold: leastCompressedBytes,
      encodings: ['gzip'],
      customTypes: compressedTypes,
      // Bodies are decompressed where they are parsed: see json-body.ts.
      globalDecompression: false,
    });
    passwordSender(scope);
    identify(scope, services, operator);
    identifiers(scope);
    access(scope, services);
    meRoutes(scope, services);
    modelsRoute(scope, services);
    userRoutes(scope, services);
    serviceRoute(scope, services);
    organizationRoutes(scope, services);
    keyRoutes(scope, services, 'organization');
    keyRoutes(scope, services, 'installation');
    memberRoutes(scope, services);
    invitationRoutes(scope, services);
    usageReportRoutes(scope, services);
    requestRoutes(scope, services);
    alertRoutes(scope, services);
    channelRoutes(scope, services);
    limitRoutes(scope, services);
    auditRoutes(scope, services);
    const people = forPeople(services);
    embeddingsRoute(scope, services, people);
    tokenizeRoute(scope, services, people);
    batchRoutes(scope, services, people);
    await scope.register(async (forms: App) => fileRoutes(forms, services, people));
  });
}
