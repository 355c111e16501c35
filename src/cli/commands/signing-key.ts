import type { Command } from 'commander';
import type { TokenCensus } from '../../keys/token-state.ts';
import { printResult, tell, withProgress } from '../output.ts';
import { withCore } from '../with-core.ts';

type Environment = NodeJS.ProcessEnv;
type Options = { json?: boolean; trustDatabase?: boolean };

const steps = `
The first key in the file signs, and all keys in it verify. To change the key without a failed request:
  $ embedgate signing-key rotate     signs with a new key and re-signs all tokens; the old key still verifies
  $ embedgate signing-key retire     removes the old key, after checking that no valid token needs it
An interrupted rotation does no harm: "signing-key reissue" or the next rotation finishes it.

Retiring the old key also voids every copy of an old token, such as the token of a revoked key.`;

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
    .description('sign with a new key and re-sign all tokens; the old key still verifies')
    .addHelpText('after', '\nExample:\n  $ embedgate signing-key rotate && embedgate signing-key retire')
    .action((options: Options) =>
      withCore(environment, async ({ signingRotation }) => {
        const found = await withProgress('Re-signing tokens', (onProgress) =>
          signingRotation.rotate(onProgress),
        );
        printReissued(options, found.older, found);
      }),
    );
}

function reissueCommand(parent: Command, environment: Environment): void {
  parent
    .command('reissue')
    .description('re-sign every token that another key in the file signed')
    .option(
      '--trust-database',
      'also re-sign tokens that cannot be verified because their signing key is lost',
    )
    .addHelpText(
      'after',
      '\nRun it after an interrupted rotation, or with a new SIGNING_KEY. With --trust-database, keys whose ' +
        'token cannot be\n' +
        'verified become valid as the database describes them: check the keys first (embedgate keys list).\n\n' +
        'Example:\n  $ embedgate signing-key reissue',
    )
    .action((options: Options) =>
      withCore(
        environment,
        async ({ signingRotation }) => {
          const { trustDatabase: trustsDatabase = false } = options;
          const found = await withProgress('Re-signing tokens', (onProgress) =>
            signingRotation.reissue(onProgress, { trustsDatabase }),
          );
          const unverified = trustsDatabase ? found.orphaned : 0;
          printReissued(options, found.older + unverified, found);
        },
        { mayReplaceKey: options.trustDatabase === true },
      ),
    );
}

function retireCommand(parent: Command, environment: Environment): void {
  parent
    .command('retire')
    .description(
      'remove all signing keys except the current one; fails while a valid API key still depends on an old one',
    )
    .addHelpText('after', '\nExample:\n  $ embedgate signing-key retire')
    .action((options: Options) =>
      withCore(environment, async ({ signingRotation }) => {
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
  const total = Object.values(found).reduce((sum, count) => sum + count);
  const invalid = total - found.current - reissued;
  printResult(options, { reissued, already_current: found.current, left_invalid: invalid }, () =>
    reissued === 0 ? 'No token had to be re-signed.' : `Re-signed ${counted(reissued, 'token')}.`,
  );
  if (invalid > 0) {
    const isLost = found.orphaned > 0 && !options.trustDatabase;
    const hint = isLost ? ' If their signing key is lost, add --trust-database.' : '';
    tell(`${counted(invalid, 'invalid token')} ${invalid === 1 ? 'was' : 'were'} left unchanged.${hint}`);
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
