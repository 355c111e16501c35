import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { type ListeningApp, listeningApp } from '../../helpers/app.ts';
import { reply, UpstreamServer } from '../../helpers/upstream-server.ts';

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code?: number };
  attributes: { key: string; value: Record<string, unknown> }[];
}

/** A collector that takes OTLP as JSON. */
async function startCollector(
  respond: (response: ServerResponse) => unknown = (response) => response.end('{}'),
) {
  const spans: SentSpan[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    for (const { scopeSpans } of body.resourceSpans)
      spans.push(...scopeSpans.flatMap((scope: { spans: SentSpan[] }) => scope.spans));
    respond(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const attributesOf = ({ attributes }: SentSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentSpanId = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${parentSpanId}-01`;

const embed = (app: ListeningApp, input: string, headers = {}) =>
  fetch(`${app.address}/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${app.key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ input }),
  });

describe('traces', () => {
  it('have the request, its wait and its computation, continue the trace of the client, and are sent at a shutdown', async () => {
    await using collector = await startCollector();
    {
      await using app = await listeningApp({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
      assert.equal((await embed(app, 'a text', { traceparent })).status, 200);
      assert.equal((await embed(app, 'a text')).status, 200);
      assert.equal((await fetch(`${app.address}/metrics`)).status, 200);
    }
    assert.deepEqual(
      collector.spans.map(({ name }) => name),
      ['queue', 'embeddings all-MiniLM-L6-v2', 'POST /v1/embeddings', 'POST /v1/embeddings'],
    );
    const [queue, computation, request, cached] = collector.spans as [SentSpan, SentSpan, SentSpan, SentSpan];
    assert.deepEqual([request.traceId, request.parentSpanId], [traceId, parentSpanId]);
    for (const part of [queue, computation])
      assert.deepEqual([part.traceId, part.parentSpanId], [traceId, request.spanId]);
    assert.notEqual(cached.traceId, traceId);
    const { 'embedgate.request_id': id, ...ofRequest } = attributesOf(request);
    assert.ok(id);
    const embeddings = {
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.provider.name': 'embedgate',
      'gen_ai.request.model': 'all-MiniLM-L6-v2',
      'gen_ai.usage.input_tokens': 4,
    };
    assert.deepEqual(attributesOf(computation), embeddings);
    assert.deepEqual(ofRequest, {
      ...embeddings,
      'http.request.method': 'POST',
      'http.route': '/v1/embeddings',
      'http.response.status_code': 200,
      'url.path': '/v1/embeddings',
      'url.scheme': 'http',
    });
  });

  it('reach an upstream, and show its failure', async () => {
    await using upstream = await new UpstreamServer().listen();
    await using collector = await startCollector();
    {
      await using app = await listeningApp({
        environment: {
          OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
          ...upstream.environment,
        },
      });
      assert.equal((await embed(app, 'one', { traceparent })).status, 200);
      upstream.otherwise = reply(400, { error: 'no' });
      const failed = await embed(app, 'two');
      assert.ok(failed.status >= 400);
    }
    const [, computation, , , failed] = collector.spans as SentSpan[];
    assert.ok(computation && failed);
    const ofOne = upstream.requests.find(({ input }) => input.includes('one'));
    assert.equal(ofOne?.traceparent, `00-${traceId}-${computation.spanId}-01`);
    assert.equal(computation.kind, 3);
    assert.equal(failed.status.code, 2);
  });

  it('change nothing for requests while the collector hangs or is away', async () => {
    await using collector = await startCollector(() => {});
    for (const url of [collector.url, 'http://127.0.0.1:9']) {
      await using app = await listeningApp({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: url } });
      assert.equal((await embed(app, 'a text')).status, 200);
    }
  });
});
