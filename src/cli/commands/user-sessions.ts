import type { Command } from 'commander';
import { sessionView } from '../../api/session.ts';
import { type Session, sessionList } from '../../users/sessions.ts';
import { type ListOptions, listOptions, readRows, tellNext } from '../list-options.ts';
import { minute, printList, printResult } from '../output.ts';
import { columns } from '../table.ts';
import { withGate } from '../with-gate.ts';

type Environment = NodeJS.ProcessEnv;
type Options = { email: string; json?: boolean };

export function userSessionCommands(parent: Command, environment: Environment): void {
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
        printList(options, views, () => listText(page.data), 'No sessions.');
        tellNext(page);
      }),
    );

  parent
    .command('sign-out')
    .description('end all sessions of a user')
    .requiredOption('--email <email>', 'the address of the user')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  $ embedgate users sign-out --email ada@example.com')
    .action((options: Options) =>
      withGate(environment, async ({ users, sessions }) => {
        const { userId, email } = await users.byEmail(options.email);
        const ended = await sessions.endAll(userId);
        printResult(
          options,
          { user_id: userId, email, ended },
          () => `Ended sessions of ${email}: ${ended}.`,
        );
      }),
    );
}

function listText(sessions: readonly Session[]): string {
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
