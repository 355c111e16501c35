import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  atMost,
  itemsOf,
  reply,
  sound,
  UpstreamServer,
  vectorOf,
} from '../../../test/helpers/upstream-server.ts';
import { type Engine, PartlyFailed, TextTooLong } from '../../engine/src/index.ts';
import { Unavailable } from '../../small/src/errors.ts';
import { openUpstreamEngine } from '../src/upstream-engine.ts';
import type { UpstreamText } from '../src/upstream-text.ts';
import { upstreamSettings } from './upstream-settings.ts';

const long = 'x'.repeat(61);

describe('texts that an upstream refuses', () => {
  let server: UpstreamServer;
  let engine: Engine<UpstreamText>;
  beforeEach(async () => {
    server = await new UpstreamServer().listen();
    server.otherwise = atMost(60);
    engine = await openUpstreamEngine(upstreamSettings([server.url]), () => {});
    server.requests.length = 0;
  });
  afterEach(async () => {
    await engine.close();
    await server[Symbol.asyncDispose]();
  });

  const run = async (texts: readonly string[], mayCut: boolean) =>
    engine.run(await engine.prepare(texts, 'document', mayCut));
  const outcomesOf = async (texts: readonly string[]): Promise<PartlyFailed['outcomes']> => {
    const reason = await run(texts, false).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(reason instanceof PartlyFailed, String(reason));
    return reason.outcomes;
  };

  it('are found among the others, which get their vectors', async () => {
    const texts = ['a', 'bb', long, 'dddd', 'eeeee', 'ffffff', `${long}${long}`];
    const outcomes = await outcomesOf(texts);
    texts.forEach((text, i) => {
      const outcome = outcomes[i]!;
      if (text.length <= 60) {
        assert.ok(outcome instanceof Float32Array);
        assert.ok(Math.abs(outcome[0]! - vectorOf(text)[0]!) < 1e-6);
      } else {
        assert.ok(outcome instanceof TextTooLong);
        assert.equal(outcome.position, i);
      }
    });
  });

  it('are cut until they are accepted, if they may be cut', async () => {
    const [prepared] = await engine.prepare([long.repeat(3)], 'document', true);
    const [vector] = await engine.run([prepared!]);
    const { input } = server.requests.at(-1)!;
    assert.ok(input[0]!.length <= 60 && input[0]!.length > 30);
    assert.ok(Math.abs(vector![0]! - vectorOf(input[0]!)[0]!) < 1e-6);
    assert.equal(prepared!.tokenCount, input[0]!.length);
  });

  it('are recognized in the words of every server', async () => {
    const refusals = [
      reply(413, { error: '`inputs` must have less than 512 tokens. Given: 600', error_type: 'Validation' }),
      reply(400, { error: { code: 'context_length_exceeded', message: 'no' } }),
      reply(400, { error: { message: "This model's maximum context length is 8192 tokens" } }),
      reply(400, { error: 'the input length exceeds the context length' }),
      reply(400, { error: { message: 'Range of input length should be [1, 8192]' } }),
      reply(400, { message: 'inputs must be at most 512 tokens' }),
      reply(400, { message: 'input must be shorter than 512 tokens' }),
      reply(422, { detail: [{ msg: 'String should have at most 8192 characters' }] }),
      reply(400, { message: 'Input length exceeds limit' }),
      reply(400, { message: 'Please reduce the length of the input' }),
      reply(500, { error: 'the prompt is larger than the max context size' }),
      reply(500, { error: "This model's maximum context length is 512" }),
      reply(500, { error: 'sequence length is longer than the specified maximum' }),
      reply(500, {
        error: { message: 'input (600 tokens) is too large to process. increase the batch size' },
      }),
      reply(500, { error: 'input length exceeds maximum context length' }),
      reply(500, { detail: 'The expanded size of the tensor (600) must match the existing size (512)' }),
      reply(400, { message: 'input[0] has 200 tokens; the model reads at most 128. Shorten it' }),
      // Some routers put the status into the body.
      reply(200, { error: { code: 413, message: 'no' } }),
    ];
    for (const refusal of refusals) {
      server.next.push(refusal);
      const [outcome] = await outcomesOf(['text']);
      assert.ok(outcome instanceof TextTooLong);
    }
    for (const message of [
      'Rate limit reached: maximum tokens per minute exceeded',
      'Unsupported parameter: max_tokens',
      'dimensions exceeds the maximum size of 1024',
    ]) {
      server.next.push(reply(400, { error: { message } }));
      const [outcome] = await outcomesOf(['text']);
      assert.ok(!(outcome instanceof TextTooLong), message);
    }
  });

  it('are not taken for too long because a quota of the server is exceeded', async () => {
    for (const status of [400, 200]) {
      server.next.push(reply(status, { error: { code: 400, message: 'You exceeded your current quota' } }));
      const [outcome] = await outcomesOf(['text']);
      assert.ok(outcome instanceof Error && !(outcome instanceof TextTooLong));
      assert.match(outcome.message, / returns 400$/);
    }
  });

  it('fail alone as unavailable if the reason is another one', async () => {
    server.otherwise = (response, request) => {
      if (request.input.includes('no')) reply(400, { error: { message: 'no: sk-key' } })(response);
      else sound(response, request);
    };
    const outcomes = await outcomesOf(['yes', 'no']);
    assert.ok(outcomes[0] instanceof Float32Array);
    assert.ok(outcomes[1] instanceof Error && !(outcomes[1] instanceof TextTooLong));
    assert.match(outcomes[1].message, /^http:\/\/127\.0\.0\.1:\d+\/v1 returns 400$/);
  });

  it('get at most one request each and the halves, whatever the upstream rejects', async () => {
    server.otherwise = reply(400, 'too long');
    const texts = Array.from({ length: 32 }, (_, i) => `text ${i}`);
    const reason = await run(texts, true).catch((reason: unknown) => reason);
    assert.ok(reason instanceof PartlyFailed);
    for (const outcome of reason.outcomes) {
      assert.ok(outcome instanceof Error && !(outcome instanceof TextTooLong));
      assert.match(outcome.message, /rejects texts as too long, however far they are cut/);
    }
    assert.equal(server.requests.length, 63 + 6);
  });

  it('do not make an upstream look broken', async () => {
    for (let i = 0; i < 8; i += 1) await outcomesOf([long]);
    assert.equal((await run(['a'], false)).length, 1);
  });

  it('leave the vectors that were computed before the upstream failed', async () => {
    server.next.push(reply(400, 'too long'), sound);
    server.otherwise = reply(401);
    const outcomes = await outcomesOf(['a', 'b']);
    assert.ok(outcomes[0] instanceof Float32Array);
    assert.ok(outcomes[1] instanceof Unavailable);
  });
});

describe('a text that makes an upstream fail', () => {
  const texts = ['a', 'bb', 'poison', 'dddd', 'eeeee', 'ffffff', 'ggggggg'];
  const failures: Record<string, UpstreamServer['otherwise']> = {
    'a status 500': reply(500),
    'a gateway without a server': reply(502),
    'a firewall in front that forbids the text': reply(403),
    'a firewall in front that hides behind a 404': reply(404),
    'a firewall in front that redirects': reply(302, '', { location: '/blocked' }),
    'a broken connection': (response) => response.destroy(),
    'null for numbers': (response, request) =>
      reply(200, { data: itemsOf(request).map((item) => ({ ...item, embedding: [null] })) })(response),
  };
  for (const [what, failing] of Object.entries(failures)) {
    it(`fails alone, and never opens the circuit: ${what}`, async () => {
      await using server = await new UpstreamServer().listen();
      const told: string[] = [];
      const engine = await openUpstreamEngine(upstreamSettings([server.url]), (line) => told.push(line));
      server.otherwise = (response, request) =>
        (request.input.includes('poison') ? failing : sound)(response, request);
      const run = async (batch: readonly string[]) => engine.run(await engine.prepare(batch, 'document'));
      const rounds = Array.from({ length: 3 }, () =>
        run(texts).then(
          () => assert.fail('the text got a vector'),
          (reason) => {
            assert.ok(reason instanceof PartlyFailed, String(reason));
            return reason.outcomes.map((outcome) => outcome instanceof Float32Array);
          },
        ),
      );
      const alone = Array.from({ length: 6 }, () => assert.rejects(run(['poison']), PartlyFailed));
      for (const outcomes of await Promise.all(rounds)) {
        assert.deepEqual(
          outcomes,
          texts.map((text) => text !== 'poison'),
        );
      }
      await Promise.all(alone);
      assert.deepEqual(told, []);
      assert.equal(engine.upstreams?.[0]?.isAvailable, true);
      await engine.close();
    });
  }
});

describe('an upstream that fails for every batch of several texts', () => {
  it('computes each text alone, after one request that shows that it works', async () => {
    await using server = await new UpstreamServer().listen();
    const engine = await openUpstreamEngine(upstreamSettings([server.url]), () => {});
    server.requests.length = 0;
    server.otherwise = (response, request) =>
      (request.input.length > 1 ? reply(500) : sound)(response, request);
    const texts = Array.from({ length: 32 }, (_, i) => `text ${i}`);
    assert.equal((await engine.run(await engine.prepare(texts, 'document'))).length, 32);
    assert.equal(server.requests.length, 31 + 32 + 1);
    await engine.close();
  });
});

describe('the tokens of an upstream’s text', () => {
  it('are estimated from its bytes, and then a share of what the upstream has counted for the batch', async () => {
    await using server = await new UpstreamServer().listen();
    const engine = await openUpstreamEngine(upstreamSettings([server.url], { maxTokens: 10 }), () => {});
    const texts = await engine.prepare(['four', 'seven characters', '日本語', 'x'.repeat(100)], 'document');
    assert.deepEqual(
      texts.map(({ tokenCount, fullTokenCount }) => [tokenCount, fullTokenCount]),
      [
        [1, 1],
        [4, 4],
        [3, 3],
        [10, 25],
      ],
    );
    await engine.run(texts);
    assert.deepEqual(
      texts.map(({ tokenCount }) => tokenCount),
      // The upstream has counted 63.
      [4, 14, 10, 35],
    );
    await engine.run([texts[1]!]);
    assert.equal(texts[1]!.tokenCount, 16);
    await engine.close();
  });

  it('stay an estimate when the upstream’s figure cannot be true', async () => {
    await using server = await new UpstreamServer().listen();
    const engine = await openUpstreamEngine(upstreamSettings([server.url]), () => {});
    const [text] = await engine.prepare(['twelve bytes'], 'document');
    // The text has 12 bytes, and the trial has shown that the upstream adds at most four tokens.
    for (const tokens of [1e300, Number.MAX_SAFE_INTEGER, 1_000_000, 12 * 16 + 5, -1, 0.5]) {
      server.next.push((response, request) =>
        reply(200, { data: itemsOf(request), usage: { prompt_tokens: tokens } })(response),
      );
      await engine.run([text!]);
      assert.equal(text!.tokenCount, 3);
    }
    await engine.close();
  });

  it('never end within a character', async () => {
    await using server = await new UpstreamServer().listen();
    const engine = await openUpstreamEngine(upstreamSettings([server.url], { maxTokens: 2 }), () => {});
    await engine.run(await engine.prepare(['日本語日本語', '\ufeffabcdefgh', 'aa😀😀'], 'document'));
    assert.deepEqual(server.requests.at(-1)?.input, ['日本', '\ufeffabcde', 'aa😀']);
    await engine.close();
  });
});
