import type { Command } from 'commander';
import { userView } from '../../api/user.ts';
import { validName } from '../../keys/key.ts';
import { validEmail } from '../../lib/email.ts';
import { type User, userList } from '../../users/users.ts';
import { type ListOptions, listOptions, noneOf, readRows, tellNext } from '../list-options.ts';
import { minute, printList, printResult, tell } from '../output.ts';
import { columns, fields } from '../table.ts';
import { withGate } from '../with-gate.ts';
import { userChangeCommands } from './user-changes.ts';
import { userSessionCommands } from './user-sessions.ts';

type Environment = NodeJS.ProcessEnv;
type Created = { user: User; password: string };

const shownOnce = 'This password is shown only once: save it now.';
/** A user can be created in an empty installation. */
const mayCreate = { mayCreate: true };

export function usersCommands(program: Command, environment: Environment): void {
  const users = program
    .command('users')
    .description('manage the users who can sign in')
    .addHelpText('after', '\nExample:\n  $ embedgate users list');
  createCommand(users, environment);
  listCommand(users, environment);
  resetPasswordCommand(users, environment);
  userChangeCommands(users, environment);
  userSessionCommands(users, environment);
}

function createCommand(parent: Command, environment: Environment): void {
  parent
    .command('create')
    .description('create a user and show the password once')
    .requiredOption('--email <email>', 'the address to sign in with')
    .option('--name <name>', 'the name that others see (default: the part before the @)')
    .option('--admin', 'make the user an administrator, who can do everything in every organization')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  $ embedgate users create --email ada@example.com --name Ada\n' +
        '  $ embedgate users create --email root@example.com --admin --json | jq -r .password',
    )
    .action((options: { email: string; name?: string; admin?: boolean; json?: boolean }) => {
      const { admin: isAdmin = false } = options;
      // Validate before a data directory is created.
      const email = validEmail(options.email);
      const name = options.name === undefined ? undefined : validName(options.name);
      return withGate(
        environment,
        async ({ users }) => printCreated(options, await users.create({ email, name, isAdmin })),
        mayCreate,
      );
    });
}

function listCommand(parent: Command, environment: Environment): void {
  const command = parent.command('list').description('list the users, oldest first');
  listOptions(command, userList)
    .addHelpText(
      'after',
      '\nExamples:\n  $ embedgate users list\n  $ embedgate users list --query ada@ --limit 10',
    )
    .action((options: ListOptions) =>
      withGate(environment, async ({ users }) => {
        const page = await readRows(options, (query) => users.list(query));
        printList(options, page.data.map(userView), () => listText(page.data), noneOf(options, 'users'));
        tellNext(page);
      }),
    );
}

function resetPasswordCommand(parent: Command, environment: Environment): void {
  parent
    .command('reset-password')
    .description('set a new password for a user, show it once, and end all sessions and reset links')
    .requiredOption('--email <email>', 'the address of the user')
    .option('--remove-totp', 'also remove the second factor, for users who have lost it')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nAn account whose address was never verified also loses its links to providers and its second factor.\n' +
        '\nExample:\n  $ embedgate users reset-password --email ada@example.com',
    )
    .action((options: { email: string; removeTotp?: boolean; json?: boolean }) =>
      withGate(environment, async ({ users }) => {
        const { email, removeTotp = false } = options;
        printCreated(options, await users.resetPassword(email, { removeTotp }));
      }),
    );
}

function printCreated(options: { json?: boolean }, { user, password }: Created): void {
  printResult(options, { ...userView(user), password }, () =>
    fields([
      ['User id', user.userId],
      ['Email', user.email],
      ['Name', user.name],
      ['Administrator', user.isAdmin ? 'yes' : 'no'],
      ['Password', password],
    ]),
  );
  if (!options.json) tell(shownOnce);
}

function listText(users: readonly User[]): string {
  return columns(
    ['user id', 'email', 'name', 'administrator', 'totp', 'disabled', 'created'],
    users.map(({ userId, email, name, isAdmin, usesTotp, isDisabled, createdAt }) => [
      userId,
      email,
      name,
      isAdmin ? 'yes' : 'no',
      usesTotp ? 'yes' : 'no',
      isDisabled ? 'yes' : 'no',
      minute(createdAt),
    ]),
  );
}
