import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { missingTool, startDoor } from '../../deploy/proxies.ts';
import { pages } from '../../docs/markdown.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { runCommand } from '../../helpers/embedgate.ts';
import { eventually } from '../../helpers/eventually.ts';
import { freePort } from '../../helpers/free-port.ts';
import { startService } from '../../helpers/service.ts';
import { untilEnd } from '../../helpers/until-end.ts';
import { UpstreamServer, vectorOf } from '../../helpers/upstream-server.ts';

describe('the recipes of docs/coming-from.md', async () => {
  const page = pages().find(({ path }) => path === 'docs/coming-from.md')!;
  const blockIn = (language: string) => page.blocks.find((block) => block.language === language)!.code;
  const directory = untilEnd(temporaryDirectory());
  const theirs = untilEnd(await new UpstreamServer().listen());
  const file = join(directory.path, 'embedgate.yaml');
  const end = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const settings = blockIn('yaml')
    .replace('https://api.openai.com/v1', theirs.url)
    .replace(/sunset: .*/, `sunset: ${end}`)
    .replace(/deprecated: .*/, 'deprecated: 2026-01-01');
  writeFileSync(file, settings);
  const service = untilEnd(
    await startService({ environment: { EMBEDGATE_CONFIG: file, OPENAI_API_KEY: 'sk-theirs' } }),
  );
  const old = 'text-embedding-3-small';

  it('serve the old vectors beside the new model, and list who still calls the old one', async () => {
    const embed = (model: string) =>
      fetch(`${service.address}/v1/embeddings`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${service.key}` },
        body: JSON.stringify({ model, input: 'a text' }),
      });
    const response = await embed(old);
    const { data } = (await response.json()) as { data: { embedding: number[] }[] };
    assert.deepEqual(data[0]!.embedding.map(Math.fround), vectorOf('a text'));
    assert.equal(theirs.requests.at(-1)?.authorization, 'Bearer sk-theirs');
    assert.ok(response.headers.has('deprecation') && response.headers.has('sunset'));
    assert.equal((await embed('all-MiniLM-L6-v2')).status, 200);
    type Callers = { data: { key_id: string; model: string }[] };
    await eventually(async () => {
      const sent = await runCommand(['api', 'GET', '/v1/usage/deprecated'], service.environment);
      return (JSON.parse(sent.stdout) as Callers).data.some(({ model }) => model === old);
    });
  });

  it('give a key to clients that send none', { skip: missingTool('caddy') }, async () => {
    const port = await freePort();
    untilEnd(await startDoor(directory.path, port, new URL(service.address).host, service.key));
    const send = (path: string, body: object, authorization?: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
        body: JSON.stringify(body),
      });
    assert.equal((await send('/embed', { inputs: 'without a key' })).status, 200);
    const ollama = { model: 'all-MiniLM-L6-v2', input: 'without a key' };
    assert.equal((await send('/api/embed', ollama)).status, 200);
    assert.equal((await send('/embed', { inputs: 'x' }, 'Bearer sk_another')).status, 401);
  });

  it('compare the weights of two servers', async () => {
    await using elsewhere = await startService();
    const texts = join(directory.path, 'texts.txt');
    writeFileSync(
      texts,
      Array.from({ length: 40 }, (_, i) => `The text of number ${i} is about ${i * 7}.`).join('\n'),
    );
    const words = blockIn('sh')
      .replace('http://127.0.0.1:8081', elsewhere.address)
      .replace('texts.txt', texts)
      .replaceAll("'", '')
      .trim()
      .split(' ');
    const { code, stdout, stderr } = await runCommand(words.slice(words.indexOf('embedgate') + 1), {
      EMBEDGATE_URL: service.address,
      EMBEDGATE_KEY: service.key,
      EMBEDGATE_KEY_B: elsewhere.key,
    });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /Median cosine +1/);
  });
});
