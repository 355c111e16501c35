import { describe, it } from 'node:test';
import { startService } from '../helpers/service.ts';
import { checkout, pages } from './markdown.ts';
import { missingProgram, Reader } from './run-block.ts';
import { assertShown } from './shown-output.ts';
import { type Runner, type Step, stepsOf } from './steps.ts';

/** Where each command runs the blocks: imports are resolved from there. */
const folders: Readonly<Record<Runner, string>> = {
  'npm test': checkout,
  'npm run test:clients': `${checkout}/test/clients`,
};

/** Runs the blocks of every page that `runner` has to run, and compares what they print with what the page shows. */
export function testBlocks(runner: Runner): void {
  describe(`the blocks of the documentation that "${runner}" runs`, () => {
    for (const { path, blocks } of pages()) {
      const steps = stepsOf(blocks);
      if (!steps.some((step) => step.runner === runner)) continue;
      it(`${path}: each block runs, and prints what the page shows`, async (t) => {
        await using service = await startService();
        using reader = new Reader(service, folders[runner]);
        // The ordinary tests report the blocks that they leave out; the others only run their own.
        for (const step of steps.filter((each) => runner === 'npm test' || each.runner === runner)) {
          const { block, shown } = step;
          await t.test(block.place, { skip: reasonToSkip(step, runner) }, async () => {
            const printed = await reader.run(block.language, block.code);
            if (shown) assertShown(shown.language, shown.code, printed);
          });
        }
      });
    }
  });
}

function reasonToSkip({ block, runner }: Step, current: Runner): string | false {
  if (runner !== current) return `"${runner}" runs the blocks that import packages of clients`;
  const missing = missingProgram(block.language);
  return missing ? `there is no ${missing} here` : false;
}
