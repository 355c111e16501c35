import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { writeBertModel } from '../../helpers/models/write-bert-model.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { startService } from '../../helpers/service.ts';

const heads = 4;
/** Of the text, and of the model. */
const tokens = 4_096;
const shortTexts = 50;
const maxRatio = 1.3;
/** How long the memory may take to fall after the text. */
const withinMs = 10_000;
const skip = process.platform === 'linux' ? false : 'resident memory is read from /proc';

test('the service releases the memory of a text of 4,096 tokens within seconds', { skip }, async () => {
  using directory = temporaryDirectory();
  const model = join(directory.path, 'model');
  await writeBertModel(model, { heads, maxPositions: tokens });
  await using service = await startService({ environment: { EMBEDDING_MODEL: model } });
  const embed = async (text: string): Promise<number> => {
    const response = await requestEmbeddings(service.address, service.key, text);
    assert.equal(response.status, 200);
    const { usage } = (await response.json()) as { usage: { prompt_tokens: number } };
    return usage.prompt_tokens;
  };
  for (let i = 0; i < shortTexts; i += 1) await embed(`text ${i}`);
  const before = await residentBytes(service.pid);
  assert.equal(await embed('a '.repeat(tokens)), tokens);
  const peak = await residentBytes(service.pid, 'VmHWM');
  // Both matrices of scores were in memory.
  assert.ok(peak - before > heads * tokens ** 2 * 4, `${peak} after ${before}`);
  let ratio = 0;
  const isReleased = async (): Promise<boolean> => {
    ratio = (await residentBytes(service.pid)) / before;
    return ratio <= maxRatio;
  };
  await eventually(isReleased, { withinMs, everyMs: 100 }).catch(() => {
    assert.fail(`resident memory is ${ratio.toFixed(2)} times what it was before the text`);
  });
});

/** See proc(5). */
async function residentBytes(pid: number, line = 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes] = new RegExp(`^${line}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
  return Number(kilobytes) * 1_024;
}
