import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Environment, embedgateJson } from '../helpers/embedgate.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { type RunningService, startService } from '../helpers/service.ts';
import { type Access, type Client, model, type Wish } from './client.ts';
import { type Recorder, recorder } from './recorder.ts';

const texts = ['How do I reset my password?', 'I forgot my login.', 'The ferry leaves at noon.'];

/** Tests each client against a running service. `missing` has the reasons to skip clients. */
export function testClients(clients: readonly Client[], missing: ReadonlyMap<Client, string>): void {
  describe('client libraries', () => {
    let service: RunningService;
    let between: Recorder;
    /** What the service itself returns for the texts. */
    let expected: number[][];
    let usedUp: Access;
    let down: RunningService;
    before(async () => {
      [service, down] = await Promise.all([startService(), startWithoutUpstream()]);
      between = await recorder(service.address, { unavailable: down.address });
      expected = await vectorsFrom(service);
      usedUp = { baseUrl: `${between.address}/v1`, key: await usedUpKey(service) };
    });
    after(async () => {
      await between[Symbol.asyncDispose]();
      await Promise.all([service, down].map((running) => running[Symbol.asyncDispose]()));
    });

    const access = (): Access => ({ baseUrl: `${between.address}/v1`, key: service.key });
    const assertVectors = (actual: Awaited<ReturnType<Client['embed']>>, count: number) => {
      assert.equal(actual.length, count);
      actual.forEach((vector, i) => {
        assert.deepEqual([...vector].map(Math.fround), expected[i]);
      });
    };

    for (const client of clients) {
      describe(client.name, { skip: missing.get(client) ?? false }, () => {
        const refusal = async (by: Access, wish?: Wish) => {
          between.taken();
          const reason = await client.embed(by, 'a text that nobody has sent', wish).then(
            () => undefined,
            (reason: unknown) => reason,
          );
          return { seen: client.seen(reason), attempts: between.taken().length };
        };

        it('embeds one text and sends it as text', async () => {
          between.taken();
          assertVectors(await client.embed(access(), texts[0]!), 1);
          const [sent] = between.taken();
          assert.ok(sent && [sent.input].flat().every((input) => typeof input === 'string'));
          assert.equal(sent.encoding_format ?? 'float', client.formats[0]);
        });

        it('embeds a batch in order and in one request', async () => {
          between.taken();
          assertVectors(await client.embed(access(), texts), texts.length);
          assert.equal(between.taken().length, 1);
        });

        it(`reads ${client.formats.join(' and ')}`, async () => {
          for (const format of client.formats) {
            between.taken();
            assertVectors(await client.embed(access(), texts, { format }), texts.length);
            assert.equal(between.taken()[0]?.encoding_format ?? 'float', format);
          }
        });

        it('gets the dimensions that it requests', async () => {
          const [vector = []] = await client.embed(access(), texts[0]!, { dimensions: 64 });
          assert.equal(vector.length, 64);
          assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-5);
        });

        it('reports a wrong key', async () => {
          const { seen, attempts } = await refusal({ ...access(), key: `sk_${'0'.repeat(64)}` });
          const { message, ...rest } = seen;
          assert.deepEqual(rest, client.wrongKey);
          assert.match(message, /Invalid API key/);
          assert.equal(attempts, 1);
        });

        it('reports a quota that is used up, and does not retry', async () => {
          const { seen, attempts } = await refusal(usedUp);
          const { message, ...rest } = seen;
          assert.deepEqual(rest, client.usedUp);
          assert.match(message, /Monthly quota exhausted\. Resets on \d{4}-\d\d-01T00:00:00Z/);
          assert.equal(attempts, 1);
        });

        it('reports a model that is unavailable', async () => {
          const baseUrl = `${between.address}/@:unavailable@/v1`;
          const { seen, attempts } = await refusal({ baseUrl, key: down.key }, { retries: true });
          const { message, ...rest } = seen;
          assert.deepEqual({ ...rest, attempts }, client.unavailable);
          assert.match(message, isUnavailable);
        });
      });
    }
  });
}

async function vectorsFrom({ address, key }: RunningService): Promise<number[][]> {
  const response = await requestEmbeddings(address, key, texts);
  const { data } = (await response.json()) as { data: { embedding: number[] }[] };
  return data.map(({ embedding }) => embedding.map(Math.fround));
}

/** A service that answers each text with 503, because its upstream is down. */
export const startWithoutUpstream = (environment: Environment = {}): Promise<RunningService> =>
  startService({
    environment: {
      EMBEDDING_UPSTREAM_URL: 'http://127.0.0.1:9/v1',
      EMBEDDING_MODEL: model,
      EMBEDDING_DIMENSIONS: '512',
      EMBEDDING_MAX_TOKENS: '128',
      ...environment,
    },
  });

/** What that service says. */
export const isUnavailable = /The service is temporarily unavailable\. Try again shortly\./;

/** The key of an organization with one request a month, which has been used. */
export async function usedUpKey({ address, environment }: RunningService): Promise<string> {
  const limit = ['--tier', 'enterprise', '--limit', '1', '--window', 'month'];
  const run = <R>(...args: string[]): Promise<R> => embedgateJson<R>(args, environment);
  const { org_id: orgId } = await run<{ org_id: string }>('orgs', 'create', '--name', 'Used up', ...limit);
  const owner = ['--user-id', 'ada', '--org-id', orgId, '--name', 'laptop'];
  const { key } = await run<{ key: string }>('keys', 'create', ...owner);
  assert.equal((await requestEmbeddings(address, key, 'the only one')).status, 200);
  return key;
}
