import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openEngines } from '../../../src/engines/open.ts';
import type { ModelSettings } from '../../../src/engines/settings.ts';
import { WorkingMemory } from '../../../src/engines/working-memory.ts';
import { writeBertModel } from '../../helpers/models/write-bert-model.ts';
import { temporaryDirectory } from './builtin-directory.ts';

const totalBytes = 1 << 30;

describe('several models', () => {
  it('share one memory, and release their part of it once', async () => {
    const path = await temporaryDirectory();
    await writeBertModel(path);
    const settings = (name: string): ModelSettings => ({
      kind: 'onnx',
      name,
      aliases: [],
      place: { kind: 'directory', path },
      overrides: {},
      workers: 1,
      threadsPerWorker: 1,
    });
    const open = async (...names: string[]) => {
      const memory = new WorkingMemory(totalBytes);
      const context = {
        dataDir: path,
        hub: { endpoint: 'http://127.0.0.1:9', token: null },
        info() {},
        warn() {},
        memory,
      };
      return { memory, engines: await openEngines(names.map(settings), context) };
    };
    const one = await open('one');
    const heldBytes = totalBytes - one.memory.freeBytes;
    assert.ok(heldBytes > 0);
    for (const engine of one.engines) await engine.close();

    const two = await open('one', 'two');
    assert.equal(two.memory.freeBytes, totalBytes - 2 * heldBytes);
    for (const engine of [...two.engines, ...two.engines]) await engine.close();
    assert.equal(two.memory.freeBytes, totalBytes);
  });
});
