import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { startService } from '../helpers/service.ts';
import { type Block, pages } from './markdown.ts';
import { isRunnable, missingProgram, Reader } from './run-block.ts';
import { assertShown } from './shown-output.ts';

/** A block to run, and the block after it when that shows what it prints. */
type Step = { readonly block: Block; readonly shown: Block | undefined };

const outputLanguages = ['text', 'json'];

/** Throws for a block that is neither run, nor the output of one, nor marked. */
function stepsOf(blocks: readonly Block[]): Step[] {
  const steps: Step[] = [];
  blocks.forEach((block, i) => {
    if (block.notRun !== undefined) return;
    const before = blocks[i - 1];
    if (isRunnable(block.language)) {
      const after = blocks[i + 1];
      const isShown = after && after.notRun === undefined && outputLanguages.includes(after.language);
      steps.push({ block, shown: isShown ? after : undefined });
    } else if (!before || before.notRun !== undefined || steps.at(-1)?.shown !== block) {
      throw new Error(
        `${block.place}: a block that no test runs needs a "<!-- not run: reason -->" in front of it`,
      );
    }
  });
  return steps;
}

describe('the blocks of the documentation', () => {
  for (const { path, blocks } of pages().filter((page) => page.blocks.length > 0)) {
    it(`${path}: each is run, or says why not`, async (t) => {
      const steps = stepsOf(blocks);
      if (steps.length === 0) return;
      await using service = await startService();
      using reader = new Reader(service);
      for (const { block, shown } of steps) {
        const missing = missingProgram(block.language);
        await t.test(block.place, { skip: missing ? `there is no ${missing} here` : false }, async () => {
          const printed = await reader.run(block.language, block.code);
          if (shown) assertShown(shown.language, shown.code, printed);
        });
      }
    });
  }

  const noPython = missingProgram('python') ? 'there is no python3 here' : false;
  it('Python that is not run is valid all the same', { skip: noPython }, () => {
    const blocks = pages().flatMap((page) => page.blocks);
    for (const { code, place } of blocks.filter(({ language }) => language === 'python')) {
      const compile = 'import sys; compile(sys.argv[1], "block", "exec")';
      const { status, stderr } = spawnSync('python3', ['-c', compile, code], { encoding: 'utf8' });
      assert.equal(status, 0, `${place}: ${stderr}`);
    }
  });

  it('a block that is neither run nor marked is refused', () => {
    const block = { language: 'yaml', code: '', place: 'page.md:1', notRun: undefined };
    assert.throws(() => stepsOf([block]), /page\.md:1: a block that no test runs/);
    assert.deepEqual(stepsOf([{ ...block, notRun: 'a picture' }]), []);
  });
});
