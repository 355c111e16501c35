import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { embedgateJson } from '../../helpers/embedgate.ts';
import { NotInstalled } from '../../helpers/python.ts';
import { postEmbeddings } from '../../helpers/requests.ts';
import { type RunningService, startService } from '../../helpers/service.ts';
import { model } from '../client.ts';
import { type Recorded, type Recorder, recorder } from '../recorder.ts';
import { startWithoutUpstream, usedUpKey } from '../suite.ts';
import { type Command, programs } from './programs.ts';
import { type Answer, rowOf, withRows } from './table.ts';

// Each program of programs.ts runs the same cases with its clients. LANGUAGES names the programs. What the users of the
// clients get is in a table of docs/clients.md, which WRITE=1 writes.

const page = fileURLToPath(new URL('../../../docs/clients.md', import.meta.url));
const programDeadlineMs = 900_000;
const dimensions = 64;
const texts = ['How do I reset my password?', 'I forgot my login.'];

type Answers = Readonly<Record<string, Answer>>;

describe('clients of other languages', () => {
  let service: RunningService;
  let down: RunningService;
  let between: Recorder;
  let cases: readonly object[];
  let expected: { readonly success: number[][]; readonly dimensions: number[][] };
  const rows = new Map<string, string>();

  before(async () => {
    const environment = { EMBEDDING_MODEL_ALIASES: 'openai' };
    [service, down] = await Promise.all([startService({ environment }), startWithoutUpstream(environment)]);
    between = await recorder(service.address, { unavailable: down.address });
    expected = {
      success: await vectorsFrom(service, {}),
      dimensions: await vectorsFrom(service, { dimensions }),
    };
    const { key } = service;
    cases = [
      { name: 'success', key, requests: [texts] },
      { name: 'base64', key, requests: [texts], wish: 'base64' },
      { name: 'dimensions', key, requests: [texts], wish: 'dimensions' },
      { name: 'tooLong', key, requests: [['word '.repeat(300)]], wish: 'strict' },
      { name: 'empty', key, requests: [['']] },
      { name: 'wrongKey', key: `sk_${'0'.repeat(64)}`, requests: [['refused']] },
      // Two of these always fall into one second. CLIENT makes the texts new, because cached ones aren't counted.
      { name: 'paced', key: await pacedKey(service), requests: [1, 2, 3].map((i) => [`CLIENT, ${i}`]) },
      { name: 'usedUp', key: await usedUpKey(service), requests: [['CLIENT']] },
      { name: 'unavailable', key: down.key, requests: [['CLIENT']] },
    ];
  });
  after(async () => {
    await between[Symbol.asyncDispose]();
    await Promise.all([service, down].map((running) => running[Symbol.asyncDispose]()));
  });

  for (const name of (process.env.LANGUAGES ?? '').split(',')) {
    const program = programs[name];
    if (!program) throw new Error(`There is no program "${name}", only ${Object.keys(programs).join(', ')}`);
    const { clients, language } = program;
    describe(name, () => {
      let results: Readonly<Record<string, Answers>> = {};
      let sent: Recorded[] = [];
      let missing: string | undefined;
      before(async () => {
        try {
          const command = program.prepare();
          results = await run(command, clients);
          sent = between.taken();
        } catch (reason) {
          if (!(reason instanceof NotInstalled)) throw reason;
          missing = reason.message;
        }
      });

      for (const client of clients) {
        it(client, (test) => {
          if (missing !== undefined) return test.skip(missing);
          const answers = results[client] ?? {};
          assertAnswers(answers);
          rows.set(client, rowOf({ client, language, answers, sent: sentBy(client, sent) }));
        });
      }
    });
  }

  it('docs/clients.md states what was seen', () => {
    const written = readFileSync(page, 'utf8');
    const current = withRows(written, rows);
    if (process.env.WRITE) writeFileSync(page, current);
    else assert.equal(written, current, 'npm run test:clients:languages -- --write');
  });

  async function run({ command, args, cwd, environment }: Command, clients: readonly string[]) {
    const { stdout } = await promisify(execFile)(command, args, {
      cwd,
      timeout: programDeadlineMs,
      maxBuffer: 2 ** 26,
      env: {
        ...process.env,
        ...environment,
        BASE_URL: between.address,
        MODEL: model,
        CASES: JSON.stringify(cases),
        CLIENTS: clients.join(';'),
      },
    });
    return JSON.parse(stdout.trim().split('\n').at(-1)!) as Record<string, Answers>;
  }

  function assertAnswers({
    success,
    base64,
    dimensions: shorter,
    tooLong,
    wrongKey,
    paced,
    usedUp,
    unavailable,
  }: Answers) {
    assertVectors(success, expected.success);
    if (base64) assertVectors(base64, expected.success);
    if (shorter) assertVectors(shorter, expected.dimensions);
    if (tooLong) assert.match(messageOf(tooLong), /reads at most 128/);
    assert.match(messageOf(wrongKey), /Invalid API key/);
    if (paced?.vectors) assert.equal(paced.vectors.length, 3);
    else assert.match(messageOf(paced), /[Ll]imit/);
    assert.match(messageOf(usedUp), /Monthly quota exhausted/);
    assert.equal(unavailable?.error?.status, 503, messageOf(unavailable));
  }
});

const messageOf = (answer: Answer | undefined): string =>
  answer?.error?.message ?? JSON.stringify(answer)?.slice(0, 200) ?? 'no answer';

function assertVectors(answer: Answer | undefined, expected: readonly number[][]): void {
  assert.ok(answer?.vectors, messageOf(answer));
  assert.deepEqual(
    answer.vectors.map((vector) => vector.map(Math.fround)),
    expected,
  );
}

/** What a client sent in each case. */
function sentBy(client: string, sent: readonly Recorded[]): Map<string, Recorded[]> {
  const own = sent.filter(({ tag }) => tag.startsWith(`${tagOf(client)}:`));
  return Map.groupBy(own, ({ tag }) => tag.split(':')[1]!);
}

const tagOf = (client: string): string => client.replaceAll(/[ /]/g, '_');

async function vectorsFrom({ address, key }: RunningService, wish: object): Promise<number[][]> {
  const response = await postEmbeddings(address, key, { input: texts, ...wish });
  const { data } = (await response.json()) as { data: { embedding: number[] }[] };
  return data.map(({ embedding }) => embedding.map(Math.fround));
}

/** The key of an organization that can send one request per second. */
async function pacedKey({ environment }: RunningService): Promise<string> {
  const run = <R>(...args: string[]): Promise<R> => embedgateJson<R>(args, environment);
  const { org_id: id } = await run<{ org_id: string }>(
    'orgs',
    'create',
    '--name',
    'Paced',
    '--tier',
    'enterprise',
  );
  await run('limits', 'add', '--org-id', id, '--unit', 'requests', '--window', 'second', '--amount', '1');
  return (
    await run<{ key: string }>('keys', 'create', '--user-id', 'ada', '--org-id', id, '--name', 'laptop')
  ).key;
}
