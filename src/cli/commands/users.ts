import type { Command } from 'commander';
import { userView } from '../../api/user.ts';
import type { Config } from '../../config/config.ts';
import { validName } from '../../keys/key.ts';
import { validEmail } from '../../lib/email.ts';
import { passwordNote } from '../../users/emergency.ts';
import type { User } from '../../users/user.ts';
import { printResult, tell } from '../output.ts';
import { fields } from '../table.ts';
import { withCore } from '../with-core.ts';

type Environment = NodeJS.ProcessEnv;
type Options = { email: string; proved?: boolean; json?: boolean };
type Created = { user: User; password: string };

const shownOnce = 'This password is shown only once: save it now.';
const provedHelp =
  'state that the address is known to be the user’s own, so that a provider can be linked to it';
/** A user can be created in an empty installation. */
const mayCreate = { mayCreate: true };

export function usersCommands(program: Command, environment: Environment): void {
  const users = program
    .command('users')
    .description('create users who can sign in, and reset their passwords')
    .addHelpText('after', '\nExample:\n  $ embedgate users create --email ada@example.com');
  createCommand(users, environment);
  resetPasswordCommand(users, environment);
}

function createCommand(parent: Command, environment: Environment): void {
  parent
    .command('create')
    .description('create a user and show the password once')
    .requiredOption('--email <email>', 'the address to sign in with')
    .option('--name <name>', 'the name that others see (default: the part before the @)')
    .option('--proved', provedHelp)
    .option('--admin', 'make the user an administrator, who can do everything in every organization')
    .addHelpText(
      'after',
      '\nExamples:\n  $ embedgate users create --email ada@example.com --name Ada\n' +
        '  $ embedgate users create --email root@example.com --admin --json | jq -r .password',
    )
    .action((options: Options & { name?: string; admin?: boolean }) => {
      const { admin: isAdmin = false, proved: emailVerified = false } = options;
      // Validate before a data directory is created.
      const email = validEmail(options.email);
      const name = options.name === undefined ? undefined : validName(options.name);
      return withCore(
        environment,
        async ({ users, config }) =>
          printCreated(options, await users.create({ email, name, isAdmin, emailVerified }), config),
        mayCreate,
      );
    });
}

function resetPasswordCommand(parent: Command, environment: Environment): void {
  parent
    .command('reset-password')
    .description('set a new password for a user, show it once, and end all sessions and reset links')
    .requiredOption('--email <email>', 'the address of the user')
    .option('--proved', provedHelp)
    .option('--remove-totp', 'also remove the second factor, for users who have lost it')
    .addHelpText(
      'after',
      '\nAn account whose address was never verified also loses its links to providers and its second factor.\n' +
        '\nExample:\n  $ embedgate users reset-password --email ada@example.com',
    )
    .action((options: Options & { removeTotp?: boolean }) =>
      withCore(environment, async ({ users, config }) => {
        const { email, removeTotp = false, proved: provesAddress = false } = options;
        printCreated(options, await users.resetPassword(email, { removeTotp, provesAddress }), config);
      }),
    );
}

function printCreated(options: { json?: boolean }, { user, password }: Created, config: Config): void {
  printResult(options, { ...userView(user), password }, () =>
    fields([
      ['User id', user.userId],
      ['Email', user.email],
      ['Name', user.name],
      ['Administrator', user.isAdmin ? 'yes' : 'no'],
      ['Password', password],
    ]),
  );
  if (options.json) return;
  tell(shownOnce);
  const note = passwordNote(config);
  if (note !== null) tell(note);
}
