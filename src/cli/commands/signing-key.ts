import type { Command } from 'commander';
import type { TokenCensus } from '../../keys/token-state.ts';
import { printResult, tell, withProgress } from '../output.ts';
import { withGate } from '../with-gate.ts';

type Environment = NodeJS.ProcessEnv;
type Options = { json?: boolean; trustDatabase?: boolean };

const steps = `
The first key in the file signs, all keys in it verify. To change the key without one failed request:
  $ embedgate signing-key rotate     a new key signs, all tokens are issued again; the old key still verifies
  $ embedgate signing-key retire     drops the old key, after checking that no valid token needs it
An interrupted rotation does no harm: "signing-key reissue", or the next rotation, finishes it.

Retiring the old key also makes every copy of an old token worthless, such as that of a key revoked before.`;

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
    .description('sign every token again that another key of the file has signed')
    .option('--trust-database', 'also those that cannot be verified, because their signing key is lost')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nRun it after an interrupted rotation, or with a new SIGNING_KEY. With --trust-database, whatever the database says\n' +
        'of a key becomes valid where no token can prove it: look at the keys first (embedgate keys list).\n\n' +
        'Example:\n  $ embedgate signing-key reissue',
    )
    .action((options: Options) =>
      withGate(environment, async ({ signingRotation }) => {
        const { trustDatabase: trustsDatabase = false } = options;
        const found = await withProgress('Issuing tokens', (onProgress) =>
          signingRotation.reissue(onProgress, { trustsDatabase }),
        );
        const unverified = trustsDatabase ? found.orphaned + found.outdated : 0;
        printReissued(options, found.older + unverified, found);
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
  const total = found.current + found.older + found.outdated + found.orphaned + found.broken;
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
