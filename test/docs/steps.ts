import clients from '../clients/node/package.json' with { type: 'json' };
import type { Block } from './markdown.ts';
import { isRunnable } from './run-block.ts';

/** The commands that run blocks. */
export const runners = ['npm test', 'npm run test:clients'] as const;
export type Runner = (typeof runners)[number];

/** A block to run, and the block after it if that shows its output. */
export interface Step {
  readonly block: Block;
  readonly shown: Block | undefined;
  readonly runner: Runner;
}

const outputLanguages = ['text', 'json'];
const imported = /\b(?:from|import)\s*\(?\s*['"]((?:@[^/'"]+\/)?[^/'"]+)/g;

/** Throws for a block that is neither run, nor the output of one, nor marked. */
export function stepsOf(blocks: readonly Block[]): Step[] {
  const steps: Step[] = [];
  blocks.forEach((block, i) => {
    if (block.notRun !== undefined) return;
    const before = blocks[i - 1];
    if (isRunnable(block.language)) {
      const after = blocks[i + 1];
      const isShown = after && after.notRun === undefined && outputLanguages.includes(after.language);
      steps.push({ block, shown: isShown ? after : undefined, runner: runnerOf(block) });
    } else if (!before || before.notRun !== undefined || steps.at(-1)?.shown !== block) {
      throw new Error(
        `${block.place}: a block that no test runs needs a "<!-- not run: reason -->" in front of it`,
      );
    }
  });
  return steps;
}

/** `npm run test:clients` for JavaScript that imports a package which only that command installs. */
function runnerOf({ language, code }: Block): Runner {
  const packages = language === 'js' ? [...code.matchAll(imported)].map(([, name = '']) => name) : [];
  return packages.some((name) => name in clients.dependencies) ? 'npm run test:clients' : 'npm test';
}
