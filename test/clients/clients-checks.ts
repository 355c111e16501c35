import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { testBlocks } from '../docs/test-blocks.ts';
import { NotInstalled } from '../helpers/python.ts';
import { postEmbeddings } from '../helpers/requests.ts';
import { type RunningService, startService } from '../helpers/service.ts';
import { type Answer, assertError, type ErrorCase, errors, messageOf } from './errors.ts';
import { type Command, type Program, programs } from './programs.ts';
import { type Recorded, type Recorder, recorder } from './recorder.ts';
import { model, pacedKey, startWithoutUpstream, usedUpKey } from './services.ts';
import { rowOf, withRows } from './table.ts';

// Each program of programs.ts runs the same cases with its clients. LANGUAGES names the programs. What the users of the
// clients get is in a table of docs/clients.md, which WRITE=1 writes.

const page = fileURLToPath(new URL('../../docs/clients.md', import.meta.url));
const programDeadlineMs = 900_000;
const dimensions = 64;
const texts = ['How do I reset my password?', 'I forgot my login.'];

type Answers = Readonly<Record<string, Answer>>;

describe('clients', () => {
  let service: RunningService;
  let down: RunningService;
  let between: Recorder;
  let cases: readonly object[];
  let expected: { readonly success: number[][]; readonly dimensions: number[][] };
  const rows: string[] = [];

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
    const command = prepared(program);
    describe(name, { skip: typeof command === 'string' && command }, () => {
      let finished: ReturnType<typeof run>;
      before(() => {
        finished = run(command as Command, program);
        finished.catch(() => {});
      });

      // These need the packages of the program, and run while it waits to retry.
      if (name === 'node') testBlocks('npm run test:clients');
      for (const client of program.clients) {
        it(client, async () => {
          const { results, sent } = await finished;
          const answers = results[client] ?? {};
          const own = sentBy(client, sent);
          assertAnswers(client, answers);
          assert.equal(own.get('success')?.length, 1, 'the requests for two texts');
          rows.push(rowOf({ client, language: program.language, answers, sent: own }));
        });
      }
    });
  }

  it('docs/clients.md states what was seen', () => {
    const written = readFileSync(page, 'utf8');
    const current = withRows(written, rows);
    if (process.env.WRITE) writeFileSync(page, current);
    else assert.equal(written, current, 'npm run test:clients -- --write');
  });

  async function run({ command, args, cwd, environment }: Command, { language, clients }: Program) {
    const { stdout } = await promisify(execFile)(command, args, {
      cwd,
      timeout: programDeadlineMs,
      maxBuffer: 2 ** 26,
      env: {
        ...process.env,
        ...environment,
        BASE_URL: between.address,
        MODEL: model,
        // Clients for two languages can have the same name.
        CASES: JSON.stringify(cases).replaceAll('CLIENT', `CLIENT for ${language}`),
        CLIENTS: clients.join(';'),
      },
    });
    const results = JSON.parse(stdout.trim().split('\n').at(-1)!) as Record<string, Answers>;
    return { results, sent: between.taken() };
  }

  function assertAnswers(client: string, answers: Answers): void {
    const { success, base64, dimensions: shorter, tooLong, paced } = answers;
    assertVectors(success, expected.success);
    if (base64) assertVectors(base64, expected.success);
    if (shorter) assertVectors(shorter, expected.dimensions);
    for (const of of Object.keys(errors) as ErrorCase[]) {
      if (of === 'tooLong' && !tooLong) continue;
      if (of === 'paced' && paced?.vectors) assert.equal(paced.vectors.length, 3);
      else assertError(client, of, answers[of]);
    }
  }
});

/** Returns the command that runs a program, or the reason why this machine can't run it. */
function prepared(program: Program): Command | string {
  try {
    return program.prepare();
  } catch (reason) {
    if (reason instanceof NotInstalled) return reason.message;
    throw reason;
  }
}

function assertVectors(answer: Answer | undefined, expected: readonly number[][]): void {
  assert.ok(answer?.vectors, messageOf(answer));
  assert.deepEqual(
    answer.vectors.map((vector) => vector.map(Math.fround)),
    expected,
  );
}

/** Returns what a client sent in each case. */
function sentBy(client: string, sent: readonly Recorded[]): Map<string, Recorded[]> {
  const own = sent.filter(({ tag }) => tag.startsWith(`${client.replaceAll(/[ /@]/g, '_')}:`));
  return Map.groupBy(own, ({ tag }) => tag.split(':')[1]!);
}

async function vectorsFrom({ address, key }: RunningService, wish: object): Promise<number[][]> {
  const response = await postEmbeddings(address, key, { input: texts, ...wish });
  const { data } = (await response.json()) as { data: { embedding: number[] }[] };
  return data.map(({ embedding }) => embedding.map(Math.fround));
}
