import type { Command } from 'commander';
import { userView } from '../../api/user.ts';
import type { UserChange } from '../../users/user-changes.ts';
import type { User } from '../../users/users.ts';
import { printResult } from '../output.ts';
import { withGate } from '../with-gate.ts';

type Environment = NodeJS.ProcessEnv;
type Options = { email: string; revokeKeys?: boolean; json?: boolean };

const keysStay = '\nAPI keys that belong to the user stay valid, unless --revoke-keys is given.\n';

export function userChangeCommands(parent: Command, environment: Environment): void {
  const change = (options: Options, change: UserChange, done: string) =>
    withGate(environment, async ({ users, userChanges }) => {
      const { userId } = await users.byEmail(options.email);
      await userChanges.change(userId, change);
      print(options, await users.get(userId), done);
    });

  subcommand(parent, 'disable', 'keep a user from signing in, and end their sessions immediately')
    .option('--revoke-keys', 'also revoke the API keys that belong to the user')
    .addHelpText('after', keysStay)
    .action((options: Options) =>
      change(options, { isDisabled: true, revokesKeys: options.revokeKeys === true }, 'Disabled'),
    );
  subcommand(parent, 'enable', 'let a disabled user sign in again').action((options: Options) =>
    change(options, { isDisabled: false }, 'Enabled'),
  );
  subcommand(parent, 'promote', 'make a user an administrator of the installation').action(
    (options: Options) => change(options, { isAdmin: true }, 'Promoted'),
  );
  subcommand(parent, 'demote', 'make an administrator an ordinary user').action((options: Options) =>
    change(options, { isAdmin: false }, 'Demoted'),
  );
  subcommand(parent, 'delete', 'delete a user permanently, with their sessions and memberships')
    .option('--revoke-keys', 'also revoke the API keys that belong to the user')
    .addHelpText('after', keysStay)
    .action((options: Options) =>
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
    .option('--json', 'print one JSON document')
    .addHelpText('after', `\nExample:\n  $ embedgate users ${name} --email ada@example.com`);
}

function print(options: Options, user: User, done: string): void {
  printResult(options, userView(user), () => `${done} ${user.email}.`);
}
