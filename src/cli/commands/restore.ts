import type { Command } from 'commander';
import { megabytes, printResult, tell, withProgress } from '../output.ts';
import { fields } from '../table.ts';

type Options = { from: string; json?: boolean };

const details = `
Restores to the data directory of DATA_DIR, which must be empty, and which no server may use. A backup of an older
version is brought up to date. If the command is killed, run it again. Restore a Postgres with pg_restore.

Keys that were revoked after the backup are active again: revoke them before the service starts.

Example:
  $ DATA_DIR=/var/lib/embedgate embedgate restore --from embedgate.tar.gz`;

export function restoreCommand(program: Command, environment: NodeJS.ProcessEnv): void {
  program
    .command('restore')
    .description('restore a backup into an empty data directory')
    .requiredOption('--from <file>', 'the file that "embedgate backup" wrote')
    .addHelpText('after', details)
    .action(async (options: Options) => {
      const { restore } = await import('../../service/restore.ts');
      const report = await withProgress(
        'Restoring',
        (onProgress) => restore(environment, options.from, onProgress),
        megabytes,
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
