import { fork } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { Asker, type Question } from '../test/abuse/ask.ts';
import { kindsOfText, textOfKind } from '../test/helpers/kinds-of-text.ts';
import { startService } from '../test/helpers/service.ts';
import { type Benchmark, type Measurement, median } from './benchmark.ts';
import { longestDelayMs } from './event-loop-delay.ts';
import { freeOfQuota } from './free-of-quota.ts';

/** Close to the largest body that the service accepts. */
const largestUnits = 3_900_000;
const rounds = 5;

export const oneRequest: Benchmark = {
  name: 'one-request',
  what: 'longest event-loop delay that one request causes, the worst of the largest ones, in ms',
  bound: { atMost: 50 },
  takesLong: true,
  run: measure,
};

/**
 * Each request is sent alone, several times, to a service that has compiled its code. A request's figure is the median
 * of its rounds: a pause that the request causes occurs in each of them, and one that the machine causes does not.
 */
async function measure(): Promise<Measurement> {
  await using service = await startService();
  await freeOfQuota(service);
  using asker = new Asker(service.address, { connections: 1, deadlineMs: 120_000 });
  const authorization = { authorization: `Bearer ${service.key}` };
  const questions = Object.entries({ ...embeddingRequests(authorization), ...otherRequests(authorization) });
  for (let i = 0; i < 3; i++) for (const [, question] of questions) await asker.ask(question);
  const idle = fork(new URL('idle-process.ts', import.meta.url), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let worst = { ms: 0, of: '' };
  for (const [name, question] of questions) {
    const delaysMs: number[] = [];
    let status = 0;
    for (let round = 0; round < rounds; round++) {
      // Remaining work and garbage of the previous request do not count for this one.
      await setTimeout(200);
      await longestDelayMs(service.address);
      status = (await asker.ask(question)).status;
      delaysMs.push(await longestDelayMs(service.address));
    }
    const ms = median(delaysMs);
    if (ms > worst.ms) worst = { ms, of: name };
    const all = delaysMs.map((delayMs) => delayMs.toFixed(1)).join(', ');
    process.stderr.write(`  ${name}: ${status}, ${ms.toFixed(1)} ms (${all})\n`);
  }
  idle.disconnect();
  const idleMs = Number(await text(idle.stdout!));
  return {
    value: worst.ms,
    details: `worst of ${questions.length}: ${worst.ms.toFixed(1)} ms, ${worst.of}; an idle process beside them: ${idleMs.toFixed(1)} ms`,
  };
}

/** Each kind of text: one as long as a body may be, with and without truncation, and many that fill a body. */
function embeddingRequests(headers: Record<string, string>): Record<string, Question> {
  const requests: Record<string, Question> = {};
  for (const kind of Object.keys(kindsOfText)) {
    const bytesPerUnit = Buffer.byteLength(JSON.stringify(textOfKind(kind, 4_096))) / 4_096;
    const units = Math.floor(largestUnits / bytesPerUnit);
    const one = textOfKind(kind, units);
    const many = Array.from({ length: 500 }, (_, i) => `${i} ${textOfKind(kind, Math.floor(units / 520))}`);
    requests[`one text, ${kind}`] = embed(headers, { input: one, truncate: true });
    requests[`one text too long, ${kind}`] = embed(headers, { input: one });
    requests[`500 texts, ${kind}`] = embed(headers, { input: many, truncate: true });
  }
  const short = Array.from({ length: 512 }, (_, i) => `a short text, number ${i}`);
  requests['512 short texts, float'] = embed(headers, { input: short });
  requests['512 short texts, base64'] = embed(headers, { input: short, encoding_format: 'base64' });
  return requests;
}

function embed(headers: Record<string, string>, body: object): Question {
  return {
    method: 'POST',
    path: '/v1/embeddings',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

/** Bodies that are hard for parsers and validators, and long addresses. */
function otherRequests(headers: Record<string, string>): Record<string, Question> {
  const bodies: Record<string, string> = {
    'nested lists': '['.repeat(largestUnits),
    'nested lists that end': `{"input":${'['.repeat(1_900_000)}${']'.repeat(1_900_000)}}`,
    'nested objects': `${'{"a":'.repeat(700_000)}1${'}'.repeat(700_000)}`,
    'many fields': `{"input":"x",${Array.from({ length: 250_000 }, (_, i) => `"f${i}":1`).join()}}`,
    'many lists of numbers': `{"input":[${Array.from({ length: 240_000 }, (_, i) => `[${i}]`).join()}]}`,
    'a list of many texts': `{"input":[${Array.from({ length: 600_000 }, () => '"a"').join()}]}`,
    'tokens in place of a text': `{"input":[${Array.from({ length: 600_000 }, (_, i) => i).join()}]}`,
    'one long number': `{"input":"x","dimensions":${'9'.repeat(largestUnits)}}`,
    escapes: `{"input":"${'\\u0001'.repeat(640_000)}"}`,
    'white space': `${' '.repeat(largestUnits)}{}`,
    'no JSON': 'x'.repeat(largestUnits),
    'a long name of a model': JSON.stringify({ input: 'x', model: 'm'.repeat(largestUnits) }),
  };
  const requests: Record<string, Question> = {};
  for (const [name, body] of Object.entries(bodies)) {
    requests[name] = {
      method: 'POST',
      path: '/v1/embeddings',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    };
  }
  for (const format of ['json', 'csv']) {
    requests[`a report as ${format}`] = { method: 'GET', path: `/v1/usage?format=${format}`, headers };
  }
  requests['a long address'] = { method: 'GET', path: `/v1/${'x/'.repeat(7_000)}`, headers };
  requests['a long query'] = { method: 'GET', path: `/v1/usage?${'a=1&'.repeat(3_500)}`, headers };
  return requests;
}
