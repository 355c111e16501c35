import { Command } from 'commander';
import { withoutControls } from '../lib/harmless.ts';
import { version } from '../version.ts';
import { apiCommand } from './commands/api.ts';
import { auditCommand } from './commands/audit.ts';
import { backupCommand } from './commands/backup.ts';
import { benchCommand } from './commands/bench.ts';
import { compareCommand } from './commands/compare.ts';
import { embedCommand } from './commands/embed.ts';
import { createCommand, keysCommands, revokeCommand } from './commands/keys.ts';
import { migrateCommand } from './commands/migrate.ts';
import { modelsCommands } from './commands/models.ts';
import { orgsCommands } from './commands/orgs.ts';
import { restoreCommand } from './commands/restore.ts';
import { serveCommand } from './commands/serve.ts';
import { signingKeyCommands } from './commands/signing-key.ts';
import { stateCommands } from './commands/state.ts';
import { trustClockCommand } from './commands/trust-clock.ts';
import { usageCommand } from './commands/usage.ts';
import { usersCommands } from './commands/users.ts';

const epilogue = `
Commands work while the server runs and take effect immediately, except restore and migrate --from. They need the
server's settings (DATA_DIR, DATABASE_URL, SIGNING_KEY …) in their environment, except embed, compare, export and apply,
which need only a key.
Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 with apply --plan: there are changes.

Examples:
  $ embedgate serve
  $ embedgate orgs create --name Acme --tier pro
  $ embedgate keys create --user-id ada --org-id "$ORG_ID" --name laptop --expires-in 90d
  $ embedgate usage --org-id "$ORG_ID"`;

/** Returns the whole command line. Its actions throw; the parser throws a CommanderError. */
export function buildProgram(environment: NodeJS.ProcessEnv): Command {
  const program = new Command('embedgate')
    .description(
      'A self-hosted text-embedding API: the server, and the administration of its keys and organizations.',
    )
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', epilogue)
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(withoutControls(text.replace(/^error: /, 'embedgate: '))),
    });
  serveCommand(program, environment);
  benchCommand(program, environment);
  embedCommand(program, environment);
  compareCommand(program, environment);
  stateCommands(program, environment);
  keysCommands(program, environment);
  orgsCommands(program, environment);
  usersCommands(program, environment);
  usageCommand(program, environment);
  auditCommand(program, environment);
  modelsCommands(program, environment);
  signingKeyCommands(program, environment);
  trustClockCommand(program, environment);
  apiCommand(program, environment);
  migrateCommand(program, environment);
  backupCommand(program, environment);
  restoreCommand(program, environment);
  createCommand(program, environment, 'same as: keys create');
  revokeCommand(program, environment, 'same as: keys revoke');
  hintAtUsage(program, program.name());
  program.helpCommand('help [command]', 'print the help of a command');
  return program;
}

/** Adds `--json` and the usage line to a command, and prints that line after a usage error. */
function hintAtUsage(command: Command, path: string): void {
  const required = command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
  const args = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  if (command.commands.length === 0) {
    if (!['serve', 'api'].includes(command.name())) command.option('--json', 'print one JSON document');
    command.usage([...args, ...required, '[options]'].join(' '));
  }
  command.helpCommand(false);
  nameAllMissing(command);
  const settings =
    command.name() === 'serve' ? '\nSettings come from the environment: PORT=9000 embedgate serve' : '';
  command.showHelpAfterError(`Usage: ${path} ${command.usage()}\nMore:  ${path} --help${settings}`);
  for (const child of command.commands) hintAtUsage(child, `${path} ${child.name()}`);
}

/** Reports all missing options at once. Commander itself reports only the first. */
function nameAllMissing(command: Command): void {
  const required = command.options.filter(({ mandatory }) => mandatory);
  for (const option of required) option.makeOptionMandatory(false);
  command.hook('preAction', () => {
    const missing = required.filter((option) => command.getOptionValue(option.attributeName()) === undefined);
    if (missing.length === 0) return;
    const flags = missing.map((option) => `'${option.flags}'`).join(', ');
    command.error(`error: required option${missing.length === 1 ? '' : 's'} ${flags} not specified`);
  });
}
