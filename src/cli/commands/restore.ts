import type { Command } from 'commander';
import { printResult, tell, withProgress } from '../output.ts';
import { fields } from '../table.ts';

type Options = { from: string; json?: boolean };

const details = `
Restores to the data directory of DATA_DIR, or to the Postgres of DATABASE_URL. The target must be empty, and no server
may use it. A backup of SQLite can be restored to both, a backup of Postgres only to a Postgres. The whole file is
verified first, and a backup of an older version is brought up to date. If the command is killed, run it again.

Keys that were revoked after the backup are active again: revoke them before the service starts.

Examples:
  $ DATA_DIR=/var/lib/embedgate embedgate restore --from embedgate.tar.gz
  $ DATABASE_URL=postgres://embedgate@db.internal/embedgate embedgate restore --from embedgate.tar.gz`;

export function restoreCommand(program: Command, environment: NodeJS.ProcessEnv): void {
  program
    .command('restore')
    .description('restore a backup into an empty data directory or an empty Postgres')
    .requiredOption('--from <file>', 'the file that "embedgate backup" wrote')
    .option('--json', 'print one JSON document')
    .addHelpText('after', details)
    .action(async (options: Options) => {
      const { restore } = await import('../../service/restore.ts');
      const report = await withProgress(
        'Restoring',
        (onProgress) => restore(environment, options.from, onProgress),
        (bytes) => `${(bytes / 1e6).toFixed(1)} MB`,
      );
      const { target, store, version, schemaVersion, createdAt, tables, warnings } = report;
      const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
      printResult(
        options,
        { target, store, version, schema_version: schemaVersion, created_at: createdAt, tables },
        () =>
          fields([
            ['Restored to', target],
            ['Backup of', `${createdAt}, by version ${version} on ${store}`],
            ['Rows', String(rows)],
          ]),
      );
      for (const warning of warnings) tell(warning);
      if (!options.json) tell('Request counts and revocations since the backup are lost.');
    });
}
