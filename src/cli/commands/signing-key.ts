import type { Command } from 'commander';
import type { TokenCensus } from '../../keys/token-state.ts';
import { printResult, tell } from '../output.ts';
import { withProgress } from '../progress.ts';
import { withGate } from '../with-gate.ts';

type Environment = NodeJS.ProcessEnv;
type Options = { json?: boolean };

const steps = `
The first key in the file signs, all keys in it verify. To change the key without one failed request:
  $ embedgate signing-key rotate     a new key signs, all tokens are issued anew; the old key still verifies
  $ embedgate signing-key retire     drops the old key, after checking that no valid token needs it
An interrupted rotation does no harm: "signing-key reissue", or the next rotation, finishes it.`;

export function signingKeyCommands(program: Command, environment: Environment): void {
  const group = program
    .command('signing-key')
    .description('change the key that signs the tokens of all API keys')
    .addHelpText('after', steps);
  rotateCommand(group, environment);
  reissueCommand(group, environment);
  retireCommand(group, environment);
}

function rotateCommand(parent: Command, environment: Environment): void {
  parent
    .command('rotate')
    .description('sign with a new key, and issue all tokens anew; the old key goes on verifying')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  $ embedgate signing-key rotate && embedgate signing-key retire')
    .action((options: Options) =>
      withGate(environment, async ({ signingRotation }) => {
        const found = await withProgress('Issuing tokens', (onProgress) =>
          signingRotation.rotate(onProgress),
        );
        printReissued(options, found.older, found);
      }),
    );
}

function reissueCommand(parent: Command, environment: Environment): void {
  parent
    .command('reissue')
    .description('issue all tokens anew that another key than the one that signs now has signed')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nWhat to run after an interrupted rotation, or with a new SIGNING_KEY. Where the key that signed a token is\n' +
        "lost, the token can't be verified any more and the database is believed.\n\nExample:\n  $ embedgate signing-key reissue",
    )
    .action((options: Options) =>
      withGate(environment, async ({ signingRotation }) => {
        const found = await withProgress('Issuing tokens', (onProgress) =>
          signingRotation.reissue(onProgress),
        );
        printReissued(options, found.older + found.orphaned, found);
      }),
    );
}

function retireCommand(parent: Command, environment: Environment): void {
  parent
    .command('retire')
    .description('drop all signing keys but the one that signs; refused while a valid token needs another')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  $ embedgate signing-key retire')
    .action((options: Options) =>
      withGate(environment, async ({ signingRotation }) => {
        const retired = await withProgress('Checking tokens', (onProgress) =>
          signingRotation.retire(onProgress),
        );
        printResult(options, { retired }, () =>
          retired === 0 ? 'There was no older signing key.' : `Retired ${counted(retired, 'signing key')}.`,
        );
      }),
    );
}

function printReissued(options: Options, reissued: number, found: TokenCensus): void {
  const total = found.current + found.older + found.orphaned + found.broken;
  const invalid = total - found.current - reissued;
  printResult(options, { reissued, already_current: found.current, left_invalid: invalid }, () =>
    reissued === 0 ? 'No token had to be issued anew.' : `Issued ${counted(reissued, 'token')} anew.`,
  );
  if (invalid > 0) {
    tell(`${counted(invalid, 'token')} not valid before ${invalid === 1 ? 'was' : 'were'} left as found.`);
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
