import type { Command } from 'commander';
import { sessionView } from '../../api/session.ts';
import { userView } from '../../api/user.ts';
import { validName } from '../../keys/key.ts';
import { validEmail } from '../../lib/email.ts';
import { type Session, sessionList } from '../../users/sessions.ts';
import type { UserChange } from '../../users/user-changes.ts';
import { type User, userList } from '../../users/users.ts';
import { type ListOptions, listOptions, noneOf, readRows, tellNext } from '../list-options.ts';
import { minute, printList, printResult, tell } from '../output.ts';
import { columns, fields } from '../table.ts';
import { withGate } from '../with-gate.ts';

type Environment = NodeJS.ProcessEnv;
type UserOptions = { email: string; revokeKeys?: boolean; json?: boolean };
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

const keysStay = '\nAPI keys that belong to the user stay valid, unless --revoke-keys is given.\n';

function userChangeCommands(parent: Command, environment: Environment): void {
  const change = (options: UserOptions, change: UserChange, done: string) =>
    withGate(environment, async ({ users, userChanges }) => {
      const { userId } = await users.byEmail(options.email);
      await userChanges.change(userId, change);
      print(options, await users.get(userId), done);
    });

  subcommand(parent, 'disable', 'keep a user from signing in, and end their sessions immediately')
    .option('--revoke-keys', 'also revoke the API keys that belong to the user')
    .addHelpText('after', keysStay)
    .action((options: UserOptions) =>
      change(options, { isDisabled: true, revokesKeys: options.revokeKeys === true }, 'Disabled'),
    );
  subcommand(parent, 'enable', 'let a disabled user sign in again').action((options: UserOptions) =>
    change(options, { isDisabled: false }, 'Enabled'),
  );
  subcommand(parent, 'promote', 'make a user an administrator of the installation').action(
    (options: UserOptions) => change(options, { isAdmin: true }, 'Promoted'),
  );
  subcommand(parent, 'demote', 'make an administrator an ordinary user').action((options: UserOptions) =>
    change(options, { isAdmin: false }, 'Demoted'),
  );
  subcommand(parent, 'delete', 'delete a user permanently, with their sessions and memberships')
    .option('--revoke-keys', 'also revoke the API keys that belong to the user')
    .addHelpText('after', keysStay)
    .action((options: UserOptions) =>
      withGate(environment, async ({ users, userChanges }) => {
        const user = await users.byEmail(options.email);
        await userChanges.delete(user.userId, { revokesKeys: options.revokeKeys === true });
        print(options, user, 'Deleted');
      }),
    );
}

function subcommand(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .requiredOption('--email <email>', 'the address of the user')
    .addHelpText('after', `\nExample:\n  $ embedgate users ${name} --email ada@example.com`);
}

function print(options: UserOptions, user: User, done: string): void {
  printResult(options, userView(user), () => `${done} ${user.email}.`);
}

function userSessionCommands(parent: Command, environment: Environment): void {
  const command = parent
    .command('sessions')
    .description('list where a user is signed in')
    .requiredOption('--email <email>', 'the address of the user');
  listOptions(command, sessionList)
    .addHelpText('after', '\nExample:\n  $ embedgate users sessions --email ada@example.com')
    .action((options: ListOptions & { email: string }) =>
      withGate(environment, async ({ users, sessions }) => {
        const { userId } = await users.byEmail(options.email);
        const page = await readRows(options, (query) => sessions.list(userId, query));
        const views = page.data.map((session) => sessionView(session, null));
        printList(options, views, () => sessionsText(page.data), 'No sessions.');
        tellNext(page);
      }),
    );

  subcommand(parent, 'sign-out', 'end all sessions of a user').action((options: UserOptions) =>
    withGate(environment, async ({ users, sessions }) => {
      const { userId, email } = await users.byEmail(options.email);
      const ended = await sessions.endAll(userId);
      printResult(options, { user_id: userId, email, ended }, () => `Ended sessions of ${email}: ${ended}.`);
    }),
  );
}

function sessionsText(sessions: readonly Session[]): string {
  return columns(
    ['session id', 'signed in', 'renewed', 'expires', 'address', 'user agent'],
    sessions.map(({ sessionId, createdAt, renewedAt, expiresAt, address, userAgent }) => [
      sessionId,
      minute(createdAt),
      minute(renewedAt),
      minute(expiresAt),
      address ?? 'unknown',
      userAgent ?? 'unknown',
    ]),
  );
}
