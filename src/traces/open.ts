import type { Context } from '@opentelemetry/api';
import { within } from '../lib/clock.ts';
import type { Stated, TraceSpan, Traces } from './span.ts';

const closeDeadlineMs = 3_000;

/**
 * Opens the traces that are sent to a collector. Loads OpenTelemetry's SDK, which nothing else uses. The SDK reads the
 * variables of the environment about the service's name, the headers and the certificates.
 */
export async function openTraces(
  collector: string,
  version: string,
  warn: (reason: unknown) => void,
): Promise<Traces> {
  const [api, core, { TracerProvider, BatchSpanProcessor }, resources, { OTLPTraceExporter }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/core'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ]);
  core.setGlobalErrorHandler(warn);
  const exporter = new OTLPTraceExporter({ url: `${collector.replace(/\/$/, '')}/v1/traces` });
  const provider = new TracerProvider({
    resource: resources
      .resourceFromAttributes({ 'service.name': 'embedgate', 'service.version': version })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    // Drops what is more than 2,048 waiting spans.
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('embedgate', version);
  const propagator = new core.W3CTraceContextPropagator();

  const start = (parent: Context, name: string, stated: Stated, kind: number): TraceSpan => {
    const span = tracer.startSpan(name, { attributes: stated, kind }, parent);
    const context = api.trace.setSpan(parent, span);
    return {
      get headers() {
        const headers: Record<string, string> = {};
        propagator.inject(context, headers, api.defaultTextMapSetter);
        return headers;
      },
      begin: (part, of = {}, isCall = false) =>
        start(context, part, of, isCall ? api.SpanKind.CLIENT : api.SpanKind.INTERNAL),
      end(more = {}, error) {
        if (!span.isRecording()) return;
        span.setAttributes(more);
        if (error) span.setAttribute('error.type', error).setStatus({ code: api.SpanStatusCode.ERROR });
        span.end();
      },
    };
  };
  return {
    begin(headers, name, stated) {
      const parent = propagator.extract(api.ROOT_CONTEXT, headers, api.defaultTextMapGetter);
      return start(parent, name, stated, api.SpanKind.SERVER);
    },
    close: () => within(closeDeadlineMs, provider.shutdown()).catch(warn),
  };
}
