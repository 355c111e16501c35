import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { embedgateJson, runCommand } from '../../helpers/embedgate.ts';
import { done, refused } from '../../helpers/outcomes.ts';
import { startService } from '../../helpers/service.ts';
import { untilEnd } from '../../helpers/until-end.ts';
import { UpstreamServer } from '../../helpers/upstream-server.ts';

type Report = { texts: number; copied: number; cached: number; truncated: number; fingerprint: string };
type Row = {
  id: number;
  text: string;
  embedding: number[];
  truncated: boolean;
  part: number;
  offset: number;
};
type Compared = {
  lowest_cosine: number | null;
  nearest_kept: number;
  sides: { dimensions: number; queries: number; found_first: number | null }[];
};

const rowsOf = (file: string): (Row & Record<string, unknown>)[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('a corpus', async () => {
  const { path } = untilEnd(temporaryDirectory());
  const upstream = untilEnd(await new UpstreamServer().listen());
  const theirs = { urls: [upstream.url], model: 'theirs', dimensions: 8, max_tokens: 64 };
  const config = join(path, 'embedgate.json');
  const builtin = 'all-MiniLM-L6-v2';
  writeFileSync(
    config,
    JSON.stringify({ models: [{ model: builtin }, { name: 'theirs', upstream: theirs }] }),
  );
  const service = untilEnd(await startService({ environment: { EMBEDGATE_CONFIG: config } }));
  const environment = { EMBEDGATE_URL: service.address, EMBEDGATE_KEY: service.key };
  const place = (name: string): string => join(path, name);
  const write = (name: string, rows: readonly object[]): string => {
    writeFileSync(place(name), rows.map((row) => JSON.stringify(row)).join('\n'));
    return place(name);
  };
  const embed = (input: string, output: string, ...more: string[]): Promise<Report> =>
    embedgateJson(['embed', input, '--out', place(output), ...more], environment);
  const rows = Array.from({ length: 100 }, (_, id) => ({
    id,
    text: `Document ${id} ${id === 7 ? 'word '.repeat(300) : ''}`,
  }));
  const texts = write('texts.jsonl', rows);

  it('keeps the model, the fingerprint and which texts were cut, in each format', async () => {
    const { fingerprint } = await embed(texts, 'vectors.jsonl');
    for (const row of rowsOf(place('vectors.jsonl'))) {
      assert.deepEqual([row.embedding_model, row.embedding_fingerprint], [builtin, fingerprint]);
      assert.equal(row.truncated, row.id === 7);
    }
    const again = await embed(texts, 'vectors.npy', '--input-type', 'document');
    assert.deepEqual([again.cached, again.truncated], [100, 1]);
    const labels = { embedding_model: builtin, embedding_fingerprint: fingerprint };
    const withType = { ...labels, embedding_input_type: 'document' };
    assert.deepEqual(JSON.parse(readFileSync(place('vectors.npy.json'), 'utf8')), {
      ...withType,
      truncated: [7],
    });
    // An output is a fine input: what it says of the vectors is replaced.
    await embed(place('vectors.jsonl'), 'vectors.parquet');
    const file = await asyncBufferFromFile(place('vectors.parquet'));
    const { key_value_metadata: pairs } = await parquetMetadataAsync(file);
    assert.deepEqual(Object.fromEntries(pairs!.map(({ key, value }) => [key, value])), labels);
    const [first, ...others] = (await parquetReadObjects({ file })) as Row[];
    assert.deepEqual(Object.keys(first!), ['id', 'text', 'embedding', 'truncated']);
    assert.deepEqual(
      others.flatMap(({ id, truncated }) => (truncated ? [Number(id)] : [])),
      [7],
    );
  });

  it('counts the texts from the cache', async () => {
    const input = write('mixed.jsonl', [...rows, { id: 100, text: 'a text that nobody has sent' }]);
    assert.equal((await embed(input, 'mixed.jsonl.npy', '--batch-size', '200')).cached, 100);
    assert.equal((await embed(input, 'batch.npy', '--batch')).cached, 101);
  });

  for (const kind of ['jsonl', 'parquet'])
    it(`sends only changed and new texts, and copies the vectors of the others from .${kind}`, async () => {
      const changed = rows
        .slice(1)
        .map((row) => (row.id === 50 ? { ...row, text: `changed for ${kind}` } : row));
      const input = write('new.jsonl', [...changed, { id: 100, text: `new for ${kind}` }]);
      const before = await counted();
      const report = await embed(input, `changed.${kind}`, '--previous', place(`vectors.${kind}`));
      // The first text is sent again, so that the server shows its model.
      assert.deepEqual([report.texts, report.copied, report.truncated], [100, 97, 1]);
      assert.equal((await counted()) - before, 1);
      await embed(input, `all.jsonl`, '--force');
      await embed(input, `copied.jsonl`, '--force', '--previous', place(`changed.${kind}`));
      assert.deepEqual(rowsOf(place('copied.jsonl')), rowsOf(place('all.jsonl')));
    });
  const counted = async (): Promise<number> => {
    const response = await fetch(`${service.address}/v1/usage`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    return ((await response.json()) as { used: number }).used;
  };

  it('refuses vectors of another model, input type or size', async () => {
    const before = upstream.requests.length;
    const run = async (...more: string[]) =>
      refused(await runCommand(['embed', texts, '--out', place('refused.npy'), ...more], environment));
    const stored = ['--previous', place('vectors.jsonl')];
    assert.match(
      await run(...stored, '--model', 'theirs'),
      /412: The request expects vectors with the fingerprint/,
    );
    assert.match(await run(...stored, '--input-type', 'query'), /was made with the input type of the server/);
    assert.match(await run('--expected-fingerprint', 'none'), /412: .*"none", but all-MiniLM-L6-v2 has/);
    assert.match(
      await run(...stored, '--expected-fingerprint', 'none'),
      /must have the fingerprint none, and not/,
    );
    assert.match(await run(...stored, '--dimensions', '8'), /vectors of 8 numbers after some of 384/);
    const mixed = rowsOf(place('vectors.jsonl')).map((row) => ({
      ...row,
      embedding_fingerprint: String(row.id),
    }));
    assert.match(
      await run('--previous', write('several.jsonl', mixed)),
      /several\.jsonl must have the fingerprint 0/,
    );
    assert.match(await run('--previous', texts), /doesn't state the model of its vectors/);
    assert.equal(upstream.requests.length, before);
  });

  it('divides texts into parts that the model reads to their end', async () => {
    const prose = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8');
    const documents = [
      prose,
      'A short text.',
      '😀'.repeat(2_000),
      'abc'.repeat(20_000),
      '天气很好。'.repeat(300),
    ];
    const input = write(
      'documents.jsonl',
      documents.map((text, id) => ({ id, text })),
    );
    const report = await embed(input, 'parts.jsonl', '--split');
    assert.equal(report.truncated, 0);
    const parts = rowsOf(place('parts.jsonl'));
    documents.forEach((text, id) => {
      const own = parts.filter((row) => row.id === id);
      assert.deepEqual(
        own.map(({ part }) => part),
        [...own.keys()],
      );
      const letters = [...text];
      for (const { text: part, offset } of own)
        assert.equal(letters.slice(offset, offset + [...part].length).join(''), part);
      assert.equal(
        own
          .map(({ text: part }) => part)
          .join('')
          .replace(/\s/g, ''),
        text.replace(/\s/g, ''),
      );
    });
    assert.equal(parts.filter(({ id }) => id === 1).length, 1);
    const ofProse = parts.filter(({ id }) => id === 0);
    const atEnds = ofProse.filter(({ text }) => /[.:|)`*]$/.test(text));
    assert.ok(atEnds.length > 0.8 * ofProse.length, `${atEnds.length} of ${ofProse.length}`);
    const npy = await runCommand(['embed', input, '--out', place('parts.npy'), '--split'], environment);
    assert.match(refused(npy), /has no place for the parts of texts/);
  });

  it('compares models, servers and stored vectors', async () => {
    const kinds = ['cats', 'dogs', 'birds', 'horses', 'fishes'];
    const about = kinds.flatMap((kind) =>
      ['garden', 'kitchen', 'castle', 'forest'].map((where) => ({
        text: `These ${kind} live happily inside their ${where} together with many friendly people.`,
      })),
    );
    const input = write('about.jsonl', about);
    await embed(input, 'about-vectors.parquet');
    const compare = (a: string, b: string) =>
      embedgateJson<Compared>(['compare', a, b, '--texts', input], {
        ...environment,
        EMBEDGATE_KEY_B: service.key,
      });
    const same = await compare(builtin, `${service.address}#${builtin}`);
    assert.ok(same.lowest_cosine! > 0.999999);
    assert.equal(same.nearest_kept, 1);
    assert.deepEqual(same.sides[0], { ...same.sides[1], name: builtin });
    const stored = await compare(place('about-vectors.parquet'), service.address);
    assert.ok(stored.lowest_cosine! > 0.999999);
    assert.deepEqual(
      stored.sides.map(({ queries }) => queries),
      [0, 20],
    );
    assert.equal(stored.sides[0]!.found_first, null);
    const other = await compare(builtin, 'theirs');
    assert.deepEqual(
      [other.lowest_cosine, ...other.sides.map(({ dimensions }) => dimensions)],
      [null, 384, 8],
    );
    assert.ok(other.nearest_kept < 1 && other.sides[0]!.found_first! > other.sides[1]!.found_first!);
    const table = done(await runCommand(['compare', builtin, 'theirs', '--texts', input], environment));
    assert.match(table, /^theirs +theirs +8 +20 +[\d.]+ % +[\d.]+ %$/m);
    assert.match(table, /Median cosine +–/);
    const missing = await runCommand(
      ['compare', place('vectors.jsonl'), builtin, '--texts', input],
      environment,
    );
    assert.match(refused(missing), /vectors\.jsonl has no vector of the text in line 1/);
  });
});
