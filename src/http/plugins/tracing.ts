import type { Traces } from '../../traces/span.ts';
import type { App } from '../app-types.ts';

const operations: Readonly<Record<string, string>> = { embed: 'embeddings', rerank: 'rerank' };

/** Adds a span to each request of the API. Probes, metrics and the dashboard's files have none. */
export function tracing(app: App, traces: Traces): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { url: route, config } = request.routeOptions;
    const { method, headers } = request;
    if (config.access === undefined || route === undefined) return done();
    const span = traces.begin(headers, `${method} ${route}`, {
      'http.request.method': method,
      'http.route': route,
      'url.path': request.url.replace(/\?.*/s, ''),
      'url.scheme': request.protocol,
      'embedgate.request_id': request.id,
    });
    request.span = span;
    const operation = operations[config.access];
    reply.raw.on('close', () => {
      const { statusCode, writableFinished } = reply.raw;
      const ofModel = operation !== undefined && {
        'gen_ai.operation.name': operation,
        'gen_ai.provider.name': 'embedgate',
        'gen_ai.request.model': request.servedModel || undefined,
        'gen_ai.usage.input_tokens': request.embedded?.promptTokens,
      };
      const error = statusCode >= 500 ? String(statusCode) : writableFinished ? undefined : 'client_closed';
      span.end({ ...ofModel, 'http.response.status_code': statusCode }, error);
    });
    done();
  });
}
