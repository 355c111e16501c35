import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { settingValue } from '../../../packages/small/src/settings.ts';
import { readConfig } from '../../config/config.ts';
import { readerOf } from '../../config/secrets.ts';
import { settings } from '../../config/settings.ts';
import { messageOf } from '../../errors.ts';
import { migrateSchema } from '../../service/core.ts';
import type { MoveReport } from '../../service/move.ts';
import { printResult, tell, withProgress } from '../output.ts';
import { columns } from '../table.ts';

type Environment = NodeJS.ProcessEnv;
type Options = { from?: string; to?: string; json?: boolean };

const details = `
Without options, it brings the schema of the configured database up to date, as every start does. With --from, it
copies organizations, keys, quotas, usage and cached vectors from SQLite to an empty Postgres. It locks the source and
refuses to begin while a server uses it. If it fails, the target stays empty, and you can run it again.
Use DATABASE_URL instead of --to to keep the password out of the list of processes.

Examples:
  $ embedgate migrate
  $ embedgate migrate --from sqlite:./data/embedgate.db --to postgres://embedgate@db.internal/embedgate`;

export function migrateCommand(program: Command, environment: Environment): void {
  const command = program
    .command('migrate')
    .description('bring the database schema up to date, or move everything from SQLite to Postgres')
    .option('--from <database>', 'the source: sqlite: and the path of embedgate.db', parseSource)
    .option('--to <database>', 'the target: a postgres:// address (default: DATABASE_URL)')
    .addHelpText('after', details)
    .action(({ from, to, ...options }: Options) => {
      if (from === undefined) {
        if (to !== undefined) command.error("error: option '--to <database>' needs '--from <database>'");
        return upgrade(environment, options);
      }
      const url = targetOf(command, to, environment);
      if (url === null) return command.error("error: option '--from <database>' needs '--to <database>'");
      return moveAll(environment, { path: from, url }, options);
    });
}

async function upgrade(environment: Environment, options: Options): Promise<void> {
  const { version, steps } = await migrateSchema(readConfig(environment));
  printResult(options, { version, steps }, () =>
    steps === 0
      ? `The schema has version ${version}: nothing to do.`
      : `The schema now has version ${version}, after ${steps} step${steps === 1 ? '' : 's'}.`,
  );
}

async function moveAll(
  environment: Environment,
  request: { path: string; url: string },
  options: Options,
): Promise<void> {
  // Loaded only for a move, which needs the drivers of both databases.
  const { move } = await import('../../service/move.ts');
  const report = await withProgress('Moving rows', (onProgress) => move(environment, request, onProgress));
  const { source, target } = report;
  const counted: Readonly<Record<string, number>> = target;
  const tables = Object.entries(source).map(([table, rows]) => ({
    table,
    source: rows,
    target: counted[table] ?? 0,
  }));
  printResult(options, { tables }, () => text(report, tables));
  for (const warning of report.warnings) tell(warning);
}

function text(
  { settings }: MoveReport,
  tables: readonly { table: string; source: number; target: number }[],
): string {
  const rows = tables.map(({ table, source, target }) => [table, source, target]);
  return [
    columns(['table', 'source', 'target'], rows),
    '',
    'Moved. All row counts match.',
    ...(settings.length > 0 ? ['Besides DATABASE_URL, the servers need:', ...settings] : []),
  ].join('\n');
}

function parseSource(value: string): string {
  const [, path] = /^sqlite:(.+)$/.exec(value) ?? [];
  if (path) return resolve(path);
  throw new InvalidArgumentError('Give sqlite: and a path, such as sqlite:./data/embedgate.db.');
}

/**
 * Returns the address of the target. It is not an option parser: Commander repeats a value that a parser rejects, and
 * this one may contain a password.
 */
function targetOf(command: Command, to: string | undefined, environment: Environment): string | null {
  if (to === undefined) return readerOf(environment).read(settings.database.url);
  try {
    return settingValue({ ...settings.database.url, name: '--to' }, to);
  } catch (reason) {
    return command.error(`error: ${messageOf(reason)}`);
  }
}
