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

  const noPython = missingProgram('python') ? 'there is no python3 here' : false;
  it('are valid Python even where it is not run', { skip: noPython }, () => {
    const blocks = pages().flatMap((page) => page.blocks.filter(({ language }) => language === 'python'));
    const compile =
      'import json, sys; [compile(b["code"], b["place"], "exec") for b in json.load(sys.stdin)]';
    const input = JSON.stringify(blocks);
    const { status, stderr } = spawnSync('python3', ['-c', compile], { encoding: 'utf8', input });
    assert.equal(status, 0, stderr);
  });
});
