import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { temporaryDirectory } from '../helpers/directory.ts';
import { writeBertModel } from '../helpers/models/write-bert-model.ts';
import { requestEmbeddings } from '../helpers/requests.ts';
import { startService } from '../helpers/service.ts';

export interface LongText {
  /** Of the text, and of the model. */
  readonly tokens: number;
  /** After the text. */
  readonly waitMs: number;
}

const heads = 4;
const shortTexts = 50;

/** The process's resident memory some time after a long text, as a multiple of what it was before. */
export async function memoryAfter({ tokens, waitMs }: LongText): Promise<number> {
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
  await setTimeout(waitMs);
  return (await residentBytes(service.pid)) / before;
}

/** See proc(5). */
async function residentBytes(pid: number, line = 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes] = new RegExp(`^${line}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
  return Number(kilobytes) * 1_024;
}
