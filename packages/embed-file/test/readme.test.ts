import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../../test/helpers/directory.ts';
import { runReadme } from '../../../test/helpers/readme.ts';
import { UpstreamServer, vectorOf } from '../../../test/helpers/upstream-server.ts';

test('the example on the page works with a server that is not Embedgate', async () => {
  await using server = await new UpstreamServer().listen();
  using directory = temporaryDirectory();
  const [INPUT, OUTPUT] = [join(directory.path, 'in.txt'), join(directory.path, 'out.jsonl')];
  writeFileSync(INPUT, 'one\ntwo\n');
  const env = { INPUT, OUTPUT, SERVER_URL: server.url };
  assert.equal(await runReadme('embed-file', env), '2 8\n');
  const rows = readFileSync(OUTPUT, 'utf8')
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row));
  assert.deepEqual(
    rows.map(({ text, embedding }) => ({ text, embedding: embedding.map(Math.fround) })),
    ['one', 'two'].map((text) => ({ text, embedding: vectorOf(text).map(Math.fround) })),
  );
});
