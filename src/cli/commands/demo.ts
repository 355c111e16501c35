import type { Command } from 'commander';
import { printResult, tell } from '../output.ts';

export function demoCommand(program: Command): void {
  program
    .command('demo')
    .description('demonstrate the service with a temporary data directory and port')
    .addHelpText('after', '\nExample:\n  $ embedgate demo')
    .action(async (options: { json?: boolean }) => {
      const { runDemo, demoText } = await import('../demo/run-demo.ts');
      tell('Starting the service with a temporary data directory …');
      const shown = await runDemo();
      printResult(options, shown, () => demoText(shown));
    });
}
