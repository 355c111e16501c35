import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { AwsClient } from 'aws4fetch';
import { type Bucket, openBucketPieces } from '../../src/files/bucket-pieces.ts';
import { piecesContract } from '../contracts/pieces.ts';
import { batchClient, jsonl, line } from '../helpers/batch-client.ts';
import { embedgate } from '../helpers/embedgate.ts';
import { NotInstalled, pythonOrReason } from '../helpers/python.ts';
import { startService } from '../helpers/service.ts';
import { untilEnd } from '../helpers/until-end.ts';

const place = (path: string): string => fileURLToPath(new URL(`python/s3/${path}`, import.meta.url));

describe('files in an S3-compatible bucket', async () => {
  const command = pythonOrReason(place('requirements.txt'));
  if (command instanceof NotInstalled) return it('are stored', { skip: command.message });
  const bucket = await startS3(command);
  const settings = (changes: Partial<Bucket> = {}): Bucket => ({ ...bucket, ...changes });
  const withPrefix = `${bucket.url}/a%20prefix/b`;

  piecesContract('a bucket', async () => ({ pieces: await openBucketPieces(settings()) }));
  piecesContract('a bucket, with a prefix', async () => ({
    pieces: await openBucketPieces(settings({ url: withPrefix })),
  }));

  it('a batch reads and writes the bucket, and no object stays when its files are deleted', async () => {
    await using service = await startService({ environment: environmentOf(settings({ url: withPrefix })) });
    const { upload, create, ended, content, send } = batchClient(service);
    const lines = ['How do I reset my password?', 'I forgot my login.'].map((input, i) =>
      line(String(i), { input }),
    );
    const batch = await ended((await create(jsonl(lines))).id);
    assert.equal(batch.status, 'completed');
    const results = await content(batch.output_file_id);
    assert.deepEqual(results.map(({ custom_id: id }) => id).sort(), ['0', '1']);
    assert.equal(results[0].response.body.data[0].embedding.length, 384);
    const large = Buffer.alloc(9 << 20, 'a long line\n');
    const { json: file } = await upload(large);
    const downloaded = await send('GET', `/files/${file.id}/content`);
    assert.ok(large.equals(Buffer.from(downloaded.text)));
    const stored = await objectsIn(bucket);
    assert.equal(stored.length, 5);
    for (const key of stored) assert.match(key, /^a prefix\/b\/[\da-f-]{36}$/);
    for (const id of [batch.input_file_id, batch.output_file_id, file.id])
      assert.equal((await send('DELETE', `/files/${id}`)).status, 200);
    assert.deepEqual(await objectsIn(bucket), []);
  });

  for (const [what, changes, reason] of [
    ['a wrong secret', { secretAccessKey: 'wrong-secret' }, '403 SignatureDoesNotMatch'],
    ['an unknown access key', { accessKeyId: 'AKIAUNKNOWN' }, '403 InvalidAccessKeyId'],
    ['a bucket that is missing', { url: `${bucket.url}-2` }, '404 NoSuchBucket'],
  ] as const) {
    it(`a start with ${what} stops with one line, without secrets`, async () => {
      const wrong = settings(changes);
      const { code, stdout, stderr } = await embedgate(['serve'], { ...environmentOf(wrong), PORT: '0' });
      assert.equal(stderr, `embedgate: FILES_URL: the bucket returned ${reason}\n`);
      assert.deepEqual([code, stdout], [1, '']);
    });
  }

  it('when the bucket goes away, uploads get 503, deletions work, and embeddings go on', async () => {
    await using service = await startService({ environment: environmentOf(settings()) });
    const { upload, send } = batchClient(service);
    const { json: file } = await upload('{}\n');
    await bucket[Symbol.asyncDispose]();
    const { status, json } = await upload('{}\n');
    assert.deepEqual([status, json.error], [503, 'unavailable']);
    assert.equal((await send('GET', `/files/${file.id}/content`)).status, 503);
    assert.equal((await send('DELETE', `/files/${file.id}`)).status, 200);
    assert.equal((await send('POST', '/embeddings', { input: 'still here' })).status, 200);
    assert.ok(!service.stderr().includes(bucket.secretAccessKey));
  });
  return undefined;
});

const environmentOf = ({ url, accessKeyId, secretAccessKey }: Bucket) => ({
  FILES_URL: url,
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  AWS_REGION: 'eu-central-1',
});

/** Starts the server of s3.py, which ends with the tests, or earlier. */
async function startS3(command: string): Promise<Bucket & AsyncDisposable> {
  const child = spawn(command, [place('s3.py')], { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  const [text] = await once(createInterface(child.stdout), 'line');
  return untilEnd({
    ...(JSON.parse(text) as Pick<Bucket, 'url' | 'accessKeyId' | 'secretAccessKey'>),
    sessionToken: null,
    region: 'eu-central-1',
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  });
}

async function objectsIn({ url, accessKeyId, secretAccessKey }: Bucket): Promise<string[]> {
  const client = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region: 'eu-central-1' });
  const text = await (await client.fetch(`${url}?list-type=2`)).text();
  assert.match(text, /<ListBucketResult/);
  return [...text.matchAll(/<Key>(.+?)<\/Key>/g)].map(([, key = '']) => key);
}
