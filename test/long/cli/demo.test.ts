import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { embedgate, embedgateJson, spawnEmbedgate } from '../../helpers/embedgate.ts';
import { eventually } from '../../helpers/eventually.ts';
import { done, refused } from '../../helpers/outcomes.ts';

type Seen = { status: number; headers: Record<string, string>; cached?: boolean; error?: object };
type Demo = {
  sentences: string[];
  similarities: { pair: [number, number]; cosine: number }[];
  dimensions: number;
} & Record<'computed' | 'cached' | 'limited' | 'revoked', Seen>;

describe('npm run demo', () => {
  it('shows similarities, headers, a cached response, a 429 and a 401, and leaves nothing behind', async () => {
    using directory = temporaryDirectory();
    const text = done(await embedgate(['demo'], { TMPDIR: directory.path, DATA_DIR: '/nowhere' }));
    assert.match(text, /a ~ b +0\.\d\d/);
    assert.match(text, /x-ratelimit-remaining: +9999/);
    assert.match(text, /→ 200, "cached": true/);
    assert.match(text, /→ 429\n.*rate_limit_exceeded/);
    assert.match(text, /→ 401\n.*Invalid API key/);
    assert.doesNotMatch(text, /sk_[0-9a-f]{64}/);
    assert.deepEqual(readdirSync(directory.path), []);
  });

  it('prints the same as one document with --json', async () => {
    const { similarities, dimensions, computed, cached, limited, revoked } = await embedgateJson<Demo>([
      'demo',
    ]);
    const [alike, ...others] = similarities.map(({ cosine }) => cosine);
    assert.ok(others.length === 2 && others.every((other) => other < Number(alike)));
    assert.equal(dimensions, 512);
    assert.deepEqual([computed.status, computed.cached], [200, false]);
    assert.deepEqual([cached.status, cached.cached], [200, true]);
    assert.equal(cached.headers['x-ratelimit-remaining'], computed.headers['x-ratelimit-remaining']);
    assert.equal(limited.status, 429);
    assert.ok(Number(limited.headers['retry-after']) > 0);
    assert.deepEqual(revoked.error, { error: 'invalid_api_key', message: 'Invalid API key' });
  });

  it('ends with the reason when it is interrupted, and leaves nothing behind', async () => {
    using directory = temporaryDirectory();
    const running = spawnEmbedgate(['demo'], { TMPDIR: directory.path });
    // It has created its data directory, and handles signals since before that.
    await eventually(() => readdirSync(directory.path).length > 0);
    running.kill('SIGINT');
    const exit = await running.exited;
    const reason = refused({
      ...exit,
      stdout: running.stdout(),
      stderr: running.stderr().replace(/^Starting.*\n/, ''),
    });
    assert.equal(reason, 'The demo was interrupted');
    assert.deepEqual(readdirSync(directory.path), []);
  });
});
