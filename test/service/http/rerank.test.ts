import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import type { Json } from '../../helpers/batch-client.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { writeBertModel } from '../../helpers/models/write-bert-model.ts';
import { untilEnd } from '../../helpers/until-end.ts';
import { UpstreamServer } from '../../helpers/upstream-server.ts';

interface Result {
  readonly index: number;
  readonly relevance_score: number;
  readonly document?: { readonly text: string };
}

interface Answer {
  readonly results: readonly Result[];
  readonly usage: { readonly prompt_tokens: number };
  readonly cached: boolean;
  readonly truncated: readonly number[];
  readonly message: string;
  readonly error: string;
}

const query = 'what is a cat';
const documents = ['a dog barks', 'a cat is an animal', 'rain', 'cat'];
const reranker = 'scorer';

describe('rerank', async () => {
  const directory = untilEnd(temporaryDirectory());
  const model = `${directory.path}/${reranker}`;
  await writeBertModel(model, { outputs: ['logits'], tokenTypes: true });
  const start = async (environment: Record<string, string>) => {
    const app = untilEnd(await listeningApp({ environment }));
    const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
      const response = await fetch(app.address + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${app.key}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as Answer };
    };
    const used = async () => (await app.services.ledger.readStanding(app.orgId)).used;
    return { ...app, post, used };
  };
  const own = await start({ RERANK_MODEL: model });

  it('documents come in the order of their scores, and a repeated request is cached and not counted', async () => {
    const first = await own.post('/v1/rerank', { query, documents });
    assert.equal(first.status, 200, JSON.stringify(first.body));
    const scores = first.body.results.map(({ relevance_score: score }) => score);
    assert.deepEqual(
      scores,
      [...scores].sort((a, b) => b - a),
    );
    assert.ok(scores.every((score) => score > 0 && score < 1));
    assert.deepEqual(first.body.results.map(({ index }) => index).sort(), [0, 1, 2, 3]);
    assert.equal(first.body.cached, false);
    assert.equal(await own.used(), 1);
    const again = await own.post('/v1/rerank', { query, documents }, { 'x-input-type': 'query' });
    assert.deepEqual(again.body.results, first.body.results);
    assert.equal(again.body.cached, true);
    const inOtherOrder = await own.post('/v1/rerank', { query, documents: [...documents].reverse() });
    assert.equal(inOtherOrder.body.cached, true);
    assert.equal(await own.used(), 1);
    const other = await own.post('/v1/rerank', { query: 'what is a ca', documents: ['t a dog barks'] });
    assert.equal(other.body.cached, false);
    assert.equal(await own.used(), 2);
  });

  it('each path answers in the form of its clients', async () => {
    const body = { model: reranker, query, documents: documents.map((text) => ({ text })), top_n: 2 };
    const { body: reference } = await own.post('/v1/rerank', { query, documents });
    const best = reference.results.slice(0, 2);
    for (const path of ['/v1/rerank', '/v2/rerank', '/rerank', '/cohere/v1/rerank', '/cohere/v2/rerank']) {
      const answer = await own.post(path, { ...body, return_documents: true, rank_fields: ['text'] });
      assert.deepEqual(
        answer.body.results,
        best.map((result) => ({ ...result, document: { text: documents[result.index] } })),
        path,
      );
    }
    const logit = (score: number) => Math.log(score / (1 - score));
    const teis = await own.post('/rerank', { query, texts: documents, raw_scores: true, return_text: true });
    const list = teis.body as unknown as { index: number; score: number; text: string }[];
    assert.deepEqual(
      list.map(({ index, text }) => [index, text]),
      reference.results.map(({ index }) => [index, documents[index]]),
    );
    for (const [i, { relevance_score: score }] of reference.results.entries())
      assert.ok(Math.abs(list[i]!.score - logit(score)) < 1e-6);
    const asked = { query, documents, top_k: 1, truncation: true, return_documents: true };
    const voyages = (await own.post('/voyage/v1/rerank', asked)).body as unknown as Json;
    const document = documents[best[0]!.index];
    assert.deepEqual([voyages.object, voyages.model], ['list', reranker]);
    assert.deepEqual(voyages.data, [{ ...best[0], document }]);
    assert.ok(voyages.usage.total_tokens > 0);
    const refused = (await own.post('/voyage/v1/rerank', { query })).body as unknown as Json;
    assert.equal(refused.detail, 'documents is missing: send a list of texts');
    const one = await own.post('/v1/rerank', { query, documents: document, return_documents: true });
    assert.deepEqual(one.body.results, [{ ...best[0], index: 0, document: { text: document } }]);
    for (const all of [{ top_n: null }, { top_n: 0 }, { top_n: 9 }])
      assert.equal((await own.post('/v1/rerank', { query, documents, ...all })).body.results.length, 4);
  });

  it('an invalid request gets an error that names the field, and is not counted', async () => {
    const used = await own.used();
    const cases: [object, number, RegExp][] = [
      [{ documents }, 400, /^query must be a text of 1 to 8192/],
      [{ query: '', documents }, 400, /^query must be/],
      [{ query: 'q'.repeat(8_193), documents }, 400, /^query must be/],
      [{ query }, 400, /^documents is missing/],
      [
        { query: 'q'.repeat(8_192), documents: Array(513).fill('') },
        400,
        /^documents can have at most 512 texts/,
      ],
      [{ query, documents: [] }, 400, /^documents must be a text, or a list of 1 to 2048/],
      [{ query, documents: [1] }, 400, /^documents must be/],
      [{ query, documents, texts: documents }, 400, /^texts must not be sent beside documents/],
      [{ query, texts: ['x', 'word '.repeat(99)], truncate: 'NONE' }, 400, /^texts\[1\] has \d+ tokens/],
      [{ query, documents, truncate: 1 }, 400, /^truncate must be true or false/],
      [{ query, documents, top_n: -1 }, 400, /^top_n must be a whole number of 0 or more/],
      [
        { query, documents, model: 'all-MiniLM-L6-v2' },
        400,
        /computes embeddings, and can’t rerank. Use "scorer"/,
      ],
      [{ query, documents, model: 'none' }, 400, /is not served here. Use "scorer"/],
      [
        { query, documents: ['x', 'word '.repeat(99)], truncate: false },
        400,
        /^documents\[1\] has \d+ tokens/,
      ],
    ];
    for (const [body, status, message] of cases) {
      const answer = await own.post('/v1/rerank', body);
      assert.equal(answer.status, status, JSON.stringify(answer.body));
      assert.match(answer.body.message, message);
    }
    const embedded = await own.post('/v1/embeddings', { input: 'x', model: reranker });
    assert.match(embedded.body.message, /scores documents for a query, and computes no embeddings/);
    const cut = await own.post('/v2/rerank', { query, documents: ['x', 'word '.repeat(99)] });
    assert.deepEqual(cut.body.truncated, [1]);
    assert.equal(await own.used(), used + 1);
  });

  it('the models are listed with what they do', async () => {
    const response = await fetch(`${own.address}/v1/models`, {
      headers: { authorization: `Bearer ${own.key}` },
    });
    const { data } = (await response.json()) as { data: { id: string; task: string }[] };
    assert.deepEqual(
      data.map(({ id, task }) => [id, task]),
      [
        ['all-MiniLM-L6-v2', 'embed'],
        [reranker, 'rerank'],
      ],
    );
  });

  it('an upstream scores the documents of each query', async () => {
    const other = await start({
      RERANK_MODEL: reranker,
      RERANK_UPSTREAM_URL: own.address,
      RERANK_UPSTREAM_KEY: own.key,
    });
    const queries = [query, 'rain', 'dog'];
    const answers = await Promise.all(
      queries.map((query) => other.post('/v1/rerank', { query, documents: [...documents, ''] })),
    );
    for (const [i, query] of queries.entries()) {
      const { body } = await own.post('/v1/rerank', { query, documents: [...documents, ' '] });
      assert.equal(answers[i]!.status, 200, JSON.stringify(answers[i]!.body));
      for (const [place, { index, relevance_score: score }] of body.results.entries()) {
        const theirs = answers[i]!.body.results[place]!;
        assert.equal(theirs.index, index);
        assert.ok(Math.abs(theirs.relevance_score - score) < 1e-6);
      }
      assert.equal(answers[i]!.body.usage.prompt_tokens, body.usage.prompt_tokens);
    }
    const raw = await other.post('/v1/rerank', { query, documents, raw_scores: true });
    assert.match(raw.body.message, /^raw_scores must be false/);
    assert.equal(await other.used(), 3);
  });

  it('an upstream whose scores are said to be logits has their sigmoid as scores', async () => {
    const server = untilEnd(new UpstreamServer());
    await server.listen();
    const scores = [7.769, -11.018, 0, -1];
    server.otherwise = (response, request) => {
      const { documents: asked } = request as unknown as { documents: string[] };
      const results = asked.map((text, index) => ({
        index,
        relevance_score: scores[documents.indexOf(text)] ?? 0.5,
      }));
      response.end(JSON.stringify({ results }));
    };
    const file = `${directory.path}/logits.yaml`;
    const upstream = { urls: [server.url], model: 'theirs', task: 'rerank', scores: 'logits' };
    await writeFile(file, JSON.stringify({ models: [{ model: 'all-MiniLM-L6-v2' }, { upstream }] }));
    const { post } = await start({ EMBEDGATE_CONFIG: file });
    const order = async (raw_scores: boolean) =>
      (await post('/v1/rerank', { query, documents, raw_scores })).body.results.map(
        ({ index, relevance_score: score }) => [index, Math.round(score * 1_000) / 1_000],
      );
    assert.deepEqual(
      await order(true),
      [0, 2, 3, 1].map((index) => [index, scores[index]]),
    );
    assert.deepEqual(await order(false), [
      [0, 1],
      [2, 0.5],
      [3, 0.269],
      [1, 0],
    ]);
  });

  it('an upstream that returns no score for a document fails only the request for its query', async () => {
    const server = untilEnd(new UpstreamServer());
    await server.listen();
    const scores = (documents: readonly string[]) =>
      documents.map((text, index) => ({ index, relevance_score: 1 / (1 + text.length) }));
    const damage: Record<string, (sound: ReturnType<typeof scores>) => object[]> = {
      null: (sound) => sound.map((score) => ({ ...score, relevance_score: null })),
      elsewhere: (sound) => sound.map((score) => ({ ...score, index: score.index + 9 })),
      missing: (sound) => sound.slice(1),
    };
    server.otherwise = (response, request) => {
      const { query, documents } = request as unknown as { query: string; documents: string[] };
      const sound = scores(documents);
      response.end(JSON.stringify({ results: damage[query]?.(sound) ?? sound }));
    };
    const { post, used } = await start({ RERANK_MODEL: 'theirs', RERANK_UPSTREAM_URL: server.url });
    const asked = [...Object.keys(damage), 'sound'].map((query) => post('/v1/rerank', { query, documents }));
    assert.deepEqual(
      (await Promise.all(asked)).map(({ status }) => status),
      [400, 400, 400, 200],
    );
    assert.equal(await used(), 1);
    const long = 'word '.repeat(20_000);
    assert.equal((await post('/v1/rerank', { query: 'sound', documents: [long] })).body.truncated.length, 1);
    const last = server.requests.at(-1) as unknown as { query: string; documents: [string] };
    assert.equal(last.query, 'sound');
    assert.ok(long.startsWith(last.documents[0]) && last.documents[0].length > long.length / 4);
  });
});
