import { describe, it } from 'node:test';
import { lazily } from '../../src/lib/lazily.ts';
import { startService } from '../helpers/service.ts';
import { untilEnd } from '../helpers/until-end.ts';
import { checkout, pages } from './markdown.ts';
import { missingProgram, Reader } from './run-block.ts';
import { assertShown } from './shown-output.ts';
import { type Runner, type Step, stepsOf } from './steps.ts';

/** Where blocks run, so that their imports are resolved from there. */
const folders: Readonly<Record<Runner, string>> = {
  'npm test': checkout,
  'npm run test:clients': `${checkout}/test/clients/node`,
};

/** The service of the pages that show no output, which could depend on the pages before. */
const shared = lazily(async () => untilEnd(await startService()));

/**
 * Runs the pages on which `runner` has a block to run, and compares what the blocks print with what the page shows.
 * `npm test` leaves out blocks that need the packages of clients. `npm run test:clients` can run each block, so it runs
 * these pages whole, as a reader would: what a block prints may depend on the blocks before it.
 */
export function testBlocks(runner: Runner): void {
  describe(`the blocks of the documentation that "${runner}" runs`, () => {
    for (const { path, blocks } of pages()) {
      const steps = stepsOf(blocks);
      if (!steps.some((step) => step.runner === runner)) continue;
      it(`${path}: each block runs, and prints what the page shows`, async (t) => {
        const isShown = steps.some(({ shown }) => shown !== undefined);
        await using own = isShown ? await startService() : undefined;
        using reader = new Reader(own ?? (await shared.get()));
        for (const step of steps) {
          const { block, shown } = step;
          await t.test(block.place, { skip: reasonToSkip(step, runner) }, async () => {
            const printed = await reader.run(block.language, block.code, folders[step.runner]);
            if (shown) assertShown(shown.language, shown.code, printed);
          });
        }
      });
    }
  });
}

function reasonToSkip(step: Step, runner: Runner): string | false {
  if (runner === 'npm test' && step.runner !== runner)
    return `"${step.runner}" runs the blocks that import packages of clients`;
  const missing = missingProgram(step.block.language);
  return missing ? `there is no ${missing} here` : false;
}
