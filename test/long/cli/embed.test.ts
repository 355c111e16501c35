import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { parquetWriteFile } from 'hyparquet-writer';
import { usedUpKey } from '../../clients/services.ts';
import { batchClient } from '../../helpers/batch-client.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { embedgateJson, runCommand, spawnEmbedgate } from '../../helpers/embedgate.ts';
import { eventually } from '../../helpers/eventually.ts';
import { done, refused, wrongUsage } from '../../helpers/outcomes.ts';
import { postEmbeddings } from '../../helpers/requests.ts';
import { startService } from '../../helpers/service.ts';
import { untilEnd } from '../../helpers/until-end.ts';
import {
  base64Of,
  reply,
  silent,
  dimensions as size,
  sound,
  UpstreamServer,
  vectorOf,
} from '../../helpers/upstream-server.ts';

type Report = { texts: number; resumed: number; cached: number; dimensions: number; fingerprint: string };
type Item = { index: number; embedding: number[] };

/** Returns the rows of a file that numpy would load. */
function npyRows(file: string): number[][] {
  const bytes = readFileSync(file);
  assert.equal(bytes.toString('latin1', 1, 6), 'NUMPY');
  const start = 10 + bytes.readUInt16LE(8);
  assert.equal(start % 64, 0);
  const [, rows, width] = /'shape': \((\d+), (\d+)\)/.exec(bytes.toString('latin1', 10, start)) ?? [];
  assert.equal(bytes.length, start + Number(rows) * Number(width) * 4);
  const numbers = new Float32Array(Uint8Array.from(bytes.subarray(start)).buffer);
  return Array.from({ length: Number(rows) }, (_, row) =>
    Array.from(numbers.subarray(row * Number(width), (row + 1) * Number(width))),
  );
}

const jsonLines = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const rounded = (vector: readonly number[]): number[] => vector.map(Math.fround);

describe('embedgate embed', async () => {
  const service = untilEnd(await startService());
  const environment = { EMBEDGATE_URL: service.address, EMBEDGATE_KEY: service.key };
  const texts = ['How do I reset my password?', 'I forgot\u2028my login.', 'A text, "quoted"'];
  const response = await postEmbeddings(service.address, service.key, { input: texts });
  const { data } = (await response.json()) as { data: Item[] };
  const expected = data.map(({ embedding }) => rounded(embedding));
  const ids = texts.map((_, i) => i * 10);

  const inputs: Record<string, (file: string) => void> = {
    'a.txt': (file) => writeFileSync(file, `${texts.join('\r\n')}\n`),
    'a.jsonl': (file) =>
      writeFileSync(
        file,
        texts.map((text, i) => JSON.stringify({ id: ids[i], text, tags: ['x'] })).join('\n'),
      ),
    'strings.jsonl': (file) => writeFileSync(file, texts.map((text) => JSON.stringify(text)).join('\n\n')),
    'a.csv': (file) =>
      writeFileSync(
        file,
        `\ufeffid,text\n${texts.map((text, i) => `${ids[i]},"${text.replaceAll('"', '""')}"`).join('\n')}\n`,
      ),
    'a.parquet': (filename) =>
      parquetWriteFile({
        filename,
        columnData: [
          { name: 'id', data: ids, type: 'INT32' },
          { name: 'text', data: texts, type: 'STRING' },
        ],
      }),
  };

  for (const [name, write] of Object.entries(inputs)) {
    it(`writes the vectors of ${name} in each format, in order, with the other fields`, async () => {
      using directory = temporaryDirectory();
      const input = join(directory.path, name);
      write(input);
      const embed = async (output: string) => {
        const out = join(directory.path, output);
        const report = await embedgateJson<Report>(['embed', input, '--out', out], environment);
        assert.deepEqual([report.texts, report.resumed, report.dimensions], [texts.length, 0, 384]);
        return out;
      };
      assert.deepEqual(npyRows(await embed('out.npy')), expected);
      const lines = jsonLines(await embed('out.jsonl'));
      const parquet = await parquetReadObjects({
        file: await asyncBufferFromFile(await embed('out.parquet')),
      });
      const hasIds = name.startsWith('a.') && name !== 'a.txt';
      for (const rows of [lines, parquet]) {
        assert.deepEqual(
          rows.map(({ embedding }) => rounded(embedding)),
          expected,
        );
        assert.deepEqual(
          rows.map(({ text }) => text),
          texts,
        );
        if (hasIds)
          assert.deepEqual(
            rows.map(({ id }) => Number(id)),
            ids,
          );
      }
      assert.deepEqual(
        readdirSync(directory.path).sort(),
        [name, 'out.jsonl', 'out.npy', 'out.npy.json', 'out.parquet'].sort(),
      );
    });
  }

  it('continues after a kill, with each vector exactly once, and refuses another input or option', async () => {
    using directory = temporaryDirectory();
    const input = join(directory.path, 'many.txt');
    const out = join(directory.path, 'many.npy');
    const many = Array.from({ length: 1_200 }, (_, i) => `A sentence with the number ${i} in it.`);
    writeFileSync(input, many.join('\n'));
    const args = ['embed', input, '--out', out, '--batch-size', '10'];
    for (const share of [0.2, 0.5]) {
      const running = spawnEmbedgate(args, environment);
      const wanted = share * many.length * 384 * 4;
      await eventually(() => (statSync(`${out}.partial`, { throwIfNoEntry: false })?.size ?? 0) > wanted);
      running.kill('SIGKILL');
      await running.exited;
    }
    assert.ok(!existsSync(out));
    const other = refused(await runCommand([...args, '--dimensions', '64'], environment));
    assert.match(other, /"dimensions" was not given and is now 64 since .*many\.npy\.partial was begun/);
    writeFileSync(input, `${many.join('\n')}\nand one more`);
    assert.match(refused(await runCommand(args, environment)), /^The input has changed since/);
    writeFileSync(input, many.join('\n'));
    // A crash can leave an incomplete record.
    writeFileSync(`${out}.partial`, 'half of a record', { flag: 'a' });

    const report = await embedgateJson<Report>(args, environment);
    assert.equal(report.texts, many.length);
    assert.ok(report.resumed >= many.length / 2 && report.resumed < many.length, String(report.resumed));
    const rows = npyRows(out);
    assert.equal(rows.length, many.length);
    for (let at = 0; at < many.length; at += 600) {
      const answer = await postEmbeddings(service.address, service.key, {
        input: many.slice(at, at + 600),
      });
      const { data: items } = (await answer.json()) as { data: Item[] };
      for (const { index, embedding } of items) assert.deepEqual(rows[at + index], rounded(embedding));
    }
    assert.deepEqual(readdirSync(directory.path).sort(), ['many.npy', 'many.npy.json', 'many.txt']);
  });

  it('goes on with the same batch after a kill, and leaves no file on the server', async () => {
    using directory = temporaryDirectory();
    const input = join(directory.path, 'batch.txt');
    const out = join(directory.path, 'batch.npy');
    const many = Array.from({ length: 1_100 }, (_, i) => `A line of a batch with the number ${i}.`);
    writeFileSync(input, many.join('\n'));
    const args = ['embed', input, '--out', out, '--batch', '--batch-size', '10'];
    const running = spawnEmbedgate(args, environment);
    await eventually(() => existsSync(`${out}.partial.batch`));
    running.kill('SIGKILL');
    await running.exited;
    const report = await embedgateJson<Report>(args, environment);
    assert.deepEqual([report.texts, report.resumed, report.dimensions], [many.length, 0, 384]);
    assert.match(report.fingerprint, /./);
    const client = batchClient(service);
    assert.equal((await client.send('GET', '/batches')).json.data.length, 1);
    assert.deepEqual((await client.send('GET', '/files')).json.data, []);
    const some = await postEmbeddings(service.address, service.key, { input: many.slice(990, 1_010) });
    const { data: items } = (await some.json()) as { data: Item[] };
    const rows = npyRows(out);
    assert.equal(rows.length, many.length);
    for (const { index, embedding } of items) assert.deepEqual(rows[990 + index], rounded(embedding));
    assert.deepEqual(readdirSync(directory.path).sort(), ['batch.npy', 'batch.npy.json', 'batch.txt']);

    // Another input must not get the vectors of a batch that a run before has begun.
    rmSync(out);
    const begun = spawnEmbedgate(args, environment);
    await eventually(() => existsSync(`${out}.partial.batch`));
    begun.kill('SIGKILL');
    await begun.exited;
    writeFileSync(input, 'another text');
    done(await runCommand(args, environment));
    const other = await postEmbeddings(service.address, service.key, { input: 'another text' });
    const { data: recomputed } = (await other.json()) as { data: Item[] };
    assert.deepEqual(npyRows(out), [rounded(recomputed[0]!.embedding)]);
    writeFileSync(input, many.join('\n'));

    // A server that was restored, or that has deleted the batch, gets another one.
    rmSync(out);
    const lost = spawnEmbedgate(args, environment);
    await eventually(() => existsSync(`${out}.partial.batch`));
    lost.kill('SIGKILL');
    await lost.exited;
    const saved = JSON.parse(readFileSync(`${out}.partial.batch`, 'utf8'));
    writeFileSync(`${out}.partial.batch`, JSON.stringify({ ...saved, id: 'batch_gone' }));
    done(await runCommand(args, environment));
    assert.deepEqual(npyRows(out)[990], rows[990]);

    const wrong = await runCommand([...args, '--force', '--model', 'none'], environment);
    assert.match(refused(wrong), /The batch batch_\w+ has failed at line 1 or one of the next 9: .*none/);
    assert.deepEqual(readdirSync(directory.path).sort(), ['batch.npy', 'batch.npy.json', 'batch.txt']);
  });

  it('names the place of a row without a text before it sends anything', async () => {
    using directory = temporaryDirectory();
    const cases = {
      'empty.txt': ['one\n\nthree\n', /empty\.txt, line 2: the text is empty$/],
      'number.jsonl': ['{"text": "a"}\n{"text": 7}', /line 2: the field "text" is not a text$/],
      'missing.jsonl': ['{"text": "a"}\n\n{"title": "a"}', /line 3: there is no field "text"; see --field$/],
      'broken.jsonl': ['"a"\n{"text": ', /line 2: not a JSON object or string$/],
      'latin1.csv': [
        Buffer.from('id,text\n1,Sch\xf6n\n', 'latin1'),
        /latin1\.csv is not valid UTF-8 in line 2$/m,
      ],
      'long.txt': [Buffer.from(`${'a line\n'.repeat(30_000)}Sch\xf6n\n`, 'latin1'), /in line 30001$/m],
      'semicolons.csv': ['id;text\n1;a\n', /line 2: there is no field "text"; .*separated by commas/],
      'quotes.csv': ['id;text\n1;"a"\n', /quotes\.csv: .*separated by commas/],
      'short.csv': ['id,text\n1,a\n2\n', /line 3/],
      'nothing.txt': ['', /nothing\.txt has no texts$/],
      'none.parquet': ['PAR', /none\.parquet is not a Parquet file$/],
    } as const;
    for (const [name, [content, reason]] of Object.entries(cases)) {
      const input = join(directory.path, name);
      writeFileSync(input, content);
      const outcome = await runCommand(['embed', input, '--out', `${input}.npy`], {
        EMBEDGATE_URL: 'http://127.0.0.1:1',
      });
      assert.match(refused(outcome), reason);
    }
    assert.deepEqual(readdirSync(directory.path).sort(), Object.keys(cases).sort());
  });

  it('says when a quota that is used up resets, and that the same command continues', async () => {
    using directory = temporaryDirectory();
    const input = join(directory.path, 'a.txt');
    writeFileSync(input, 'new text');
    const key = await usedUpKey(service);
    const outcome = await runCommand(['embed', input, '--out', join(directory.path, 'a.npy')], {
      ...environment,
      EMBEDGATE_KEY: key,
    });
    const reason = refused(outcome);
    assert.match(reason, /429: .*Resets on \d{4}-\d\d-01T00:00:00Z\. Nothing is finished yet/);
  });

  it('continues the next month after a quota that was used up, and says when it resets if the server does not', async () => {
    await using server = await new UpstreamServer().listen();
    using directory = temporaryDirectory();
    const [input, out] = [join(directory.path, 'a.txt'), join(directory.path, 'a.npy')];
    writeFileSync(input, 'one\ntwo');
    const args = ['embed', input, '--out', out, '--batch-size', '1', '--concurrency', '1'];
    const usedUp = { error: { message: 'no more', code: 'insufficient_quota' } };
    server.next.push(sound, reply(429, usedUp, { 'retry-after': '86400' }));
    const reason = refused(await runCommand(args, { EMBEDGATE_URL: server.url }));
    assert.match(
      reason,
      /: no more\. The quota resets at \S+Z\. .* has 1 of 2 texts, and the same command continues after them\.$/,
    );
    done(await runCommand(args, { EMBEDGATE_URL: server.url }));
    assert.deepEqual(npyRows(out), [vectorOf('one'), vectorOf('two')]);
    assert.equal(server.requests.length, 3);
  });

  it('refuses an output that exists, replaces it with --force, and counts texts that were cut', async () => {
    using directory = temporaryDirectory();
    const [input, out] = [join(directory.path, 'a.txt'), join(directory.path, 'a.npy')];
    writeFileSync(input, texts[0]!);
    writeFileSync(out, 'precious');
    const args = ['embed', input, '--out', out];
    assert.match(refused(await runCommand(args, environment)), /a\.npy exists: .*--force$/);
    assert.equal(readFileSync(out, 'utf8'), 'precious');
    done(await runCommand([...args, '--force'], environment));
    assert.deepEqual(npyRows(out), expected.slice(0, 1));
    writeFileSync(input, 'word '.repeat(300));
    const cut = await embedgateJson<{ truncated: number }>([...args, '--force'], environment);
    assert.equal(cut.truncated, 1);
    assert.match(wrongUsage(await runCommand(['embed', 'a.pdf', '--out', out])), /ends with \.txt, \.jsonl/);
  });

  describe('with a server of someone else', () => {
    const begin = async () => {
      const server = await new UpstreamServer().listen();
      const directory = temporaryDirectory();
      const [input, out] = [join(directory.path, 'a.txt'), join(directory.path, 'a.npy')];
      const many = Array.from({ length: 9 }, (_, i) => `text ${i}`);
      writeFileSync(input, many.join('\n'));
      const run = (...more: string[]) =>
        runCommand(['embed', input, '--out', out, '--batch-size', '3', '--concurrency', '1', ...more], {
          EMBEDGATE_URL: server.url,
        });
      return { server, directory, input, out, many, run };
    };

    it('sends requests again after 429, 503, a broken connection and a late response, and reads lists of numbers', async () => {
      const { server, directory, out, many, run } = await begin();
      await using _server = server;
      using _directory = directory;
      server.next.push(
        reply(429, { error: { message: 'slower' } }, { 'retry-after': '1' }),
        reply(503, {}),
        (response) => response.destroy(),
        silent,
      );
      server.otherwise = (response, request) =>
        sound(response, {
          ...request,
          encoding_format: request.input.includes('text 4') ? 'float' : 'base64',
        });
      done(await run('--timeout', '2s'));
      assert.deepEqual(npyRows(out), many.map(vectorOf));
      assert.equal(server.requests.length, 4 + 3);
      assert.equal(server.requests[0]?.authorization, undefined);
    });

    it('names the line of a text that the server refuses, and keeps what came before', async () => {
      const { server, directory, out, many, run } = await begin();
      await using _server = server;
      using _directory = directory;
      const refuse = (text: string) => {
        server.otherwise = (response, request) =>
          request.input.includes(text)
            ? reply(400, { error: { message: 'this text is not allowed' } })(response)
            : sound(response, request);
      };
      refuse('text 4');
      assert.match(
        refused(await run()),
        /a\.txt, line 5: The server responded with 400: this text is not allowed\. .*\.partial has 3 of 9 texts, and the same command continues after them\.$/,
      );
      server.otherwise = sound;
      assert.match(done(await run()), /Texts +9, 3 of them by earlier runs/);
      assert.deepEqual(npyRows(out), many.map(vectorOf));
    });

    it('refuses vectors with another fingerprint or size, and gives up after the attempts', async () => {
      const { server, directory, out, many, run } = await begin();
      await using _server = server;
      using _directory = directory;
      const as = (fingerprint: string, vector: (text: string) => number[]) => () => {
        server.otherwise = (response, { input }) =>
          reply(
            200,
            { data: input.map((text, index) => ({ index, embedding: base64Of(vector(text)) })) },
            { 'x-embedding-fingerprint': fingerprint },
          )(response);
      };
      as('first', vectorOf)();
      const usual = server.otherwise;
      server.next.push(usual, reply(500, {}), reply(500, {}));
      const failed = await run('--attempts', '2');
      assert.equal(failed.code, 1);
      assert.match(failed.stderr, /responded with 500: .* has 3 of 9 texts/);
      as('second', vectorOf)();
      const mixed = await run();
      assert.match(
        mixed.stderr,
        /must have the fingerprint first, and not second: those of two models must not be mixed/,
      );
      as('first', (text) => vectorOf(text).slice(1))();
      assert.match((await run()).stderr, new RegExp(`vectors of ${size - 1} numbers after some of ${size}`));
      as('first', vectorOf)();
      done(await run());
      assert.deepEqual(npyRows(out), many.map(vectorOf));
      rmSync(out);
      server.otherwise = reply(200, { data: [] });
      assert.match(refused(await run()), /does not return one vector of numbers per text/);
    });
  });
});
