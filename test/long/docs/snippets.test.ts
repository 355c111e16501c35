import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { pages } from '../../docs/markdown.ts';
import { missingProgram } from '../../docs/run-block.ts';
import { type Runner, runners, stepsOf } from '../../docs/steps.ts';
import { testBlocks } from '../../docs/test-blocks.ts';

testBlocks('npm test');

describe('the blocks of the documentation', () => {
  it('are each run by exactly one command, show the output of such a block, or say why they are not run', () => {
    const all = pages();
    const steps = all.flatMap(({ blocks }) => stepsOf(blocks));
    const runBy = (runner: Runner) =>
      steps
        .filter((step) => step.runner === runner)
        .flatMap(({ block, shown }) => [block, shown ?? []].flat());
    const blocks = all.flatMap((page) => page.blocks);
    const marked = blocks.filter(({ notRun }) => notRun !== undefined);
    const covered = [...runners.flatMap(runBy), ...marked].map(({ place }) => place);
    assert.deepEqual(covered.sort(), blocks.map(({ place }) => place).sort());
    for (const runner of runners) assert.ok(runBy(runner).length > 0, runner);
  });

  it('are run by the command that their imports decide', () => {
    const runnerOf = (code: string, language = 'js') =>
      stepsOf([{ language, code, place: 'page.md:1', notRun: undefined }]).map(({ runner }) => runner);
    for (const code of [
      "import OpenAI from 'openai';",
      'import { toFile } from "openai/uploads";',
      "import { createHash } from 'node:crypto';\nimport { OpenAIEmbeddings } from '@langchain/openai';",
      "const { embedMany } = await import('ai');",
    ]) {
      assert.deepEqual(runnerOf(code), ['npm run test:clients'], code);
    }
    for (const code of [
      "import { Webhook } from 'standardwebhooks';",
      "import { join } from 'node:path';",
      "import main from '../../docs/openai';",
      "console.log('openai');",
    ]) {
      assert.deepEqual(runnerOf(code), ['npm test'], code);
    }
    assert.deepEqual(runnerOf("from 'openai'", 'sh'), ['npm test']);
  });

  const noPython = missingProgram('python') ? 'there is no python3 here' : false;
  it('are valid Python even where it is not run', { skip: noPython }, () => {
    const blocks = pages().flatMap((page) => page.blocks);
    for (const { code, place } of blocks.filter(({ language }) => language === 'python')) {
      const compile = 'import sys; compile(sys.argv[1], "block", "exec")';
      const { status, stderr } = spawnSync('python3', ['-c', compile, code], { encoding: 'utf8' });
      assert.equal(status, 0, `${place}: ${stderr}`);
    }
  });

  it('are refused if they are neither run nor marked', () => {
    const block = { language: 'yaml', code: '', place: 'page.md:1', notRun: undefined };
    assert.throws(() => stepsOf([block]), /page\.md:1: a block that no test runs/);
    assert.deepEqual(stepsOf([{ ...block, notRun: 'a picture' }]), []);
  });
});
