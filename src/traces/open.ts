import type { Context } from '@opentelemetry/api';
import { within } from '../lib/clock.ts';
import type { Span, Stated, Traces } from './span.ts';

/** Spans beyond these are dropped while the collector does not take them. */
const maxWaitingSpans = 2_048;
const exportDeadlineMs = 10_000;
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
  const [api, core, { TracerProvider, BatchSpanProcessor, ...sdk }, resources, { OTLPTraceExporter }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/core'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ]);
  core.setGlobalErrorHandler(warn);
  const exporter = new OTLPTraceExporter({
    url: `${collector.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: exportDeadlineMs,
  });
  const provider = new TracerProvider({
    resource: resources
      .resourceFromAttributes({ 'service.name': 'embedgate', 'service.version': version })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    // A caller who does not record a trace does not want its parts either.
    sampler: new sdk.ParentBasedSampler({ root: new sdk.AlwaysOnSampler() }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: maxWaitingSpans,
        exportTimeoutMillis: exportDeadlineMs,
      }),
    ],
  });
  const tracer = provider.getTracer('embedgate', version);
  const propagator = new core.W3CTraceContextPropagator();

  const start = (parent: Context, name: string, stated: Stated, kind: number): Span => {
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
        if (error !== undefined) {
          span.setAttribute('error.type', error);
          span.setStatus({ code: api.SpanStatusCode.ERROR });
        }
        span.end();
      },
    };
  };
  return {
    begin: (headers, name, stated) =>
      start(
        propagator.extract(api.ROOT_CONTEXT, headers, api.defaultTextMapGetter),
        name,
        stated,
        api.SpanKind.SERVER,
      ),
    close: () => within(closeDeadlineMs, provider.shutdown()).catch(warn),
  };
}
