import type { Command } from 'commander';
import { readConfig } from '../../config/config.ts';
import { printResult, tell, withProgress } from '../output.ts';
import { fields } from '../table.ts';

type Options = { to: string; force?: boolean; json?: boolean };

const details = `
The service can keep running: the file shows everything at a single moment. It contains the database, and the signing
key and the auth secret if the service created them itself: keep the file as secret as they are. The vector cache is
never included, and fills again. Back up a Postgres with pg_dump, and keep SIGNING_KEY and AUTH_SECRET yourself.

Examples:
  $ embedgate backup --to /backups/embedgate-$(date +%F).tar.gz
  $ embedgate backup --to embedgate.tar.gz --force --json`;

export function backupCommand(program: Command, environment: NodeJS.ProcessEnv): void {
  program
    .command('backup')
    .description('write everything except the cache to one file while the service runs')
    .requiredOption('--to <file>', 'the file to write')
    .option('--force', 'replace the file if it exists')
    .addHelpText('after', details)
    .action(async (options: Options) => {
      const { to, force = false } = options;
      const config = readConfig(environment);
      const { backUp } = await import('../../service/backup.ts');
      const report = await withProgress('Backing up', (onProgress) =>
        backUp(config, { to, force }, onProgress),
      );
      const rows = Object.values(report.tables).reduce((sum, count) => sum + count, 0);
      const { file, sizeBytes, store, schemaVersion, createdAt, tables, secrets } = report;
      printResult(
        options,
        {
          file,
          size_bytes: sizeBytes,
          store,
          schema_version: schemaVersion,
          created_at: createdAt,
          tables,
          secrets,
        },
        () =>
          fields([
            ['File', file],
            ['Size', `${sizeBytes.toLocaleString('en-US')} bytes`],
            ['Store', store],
            ['Schema', `version ${schemaVersion}`],
            ['Rows', String(rows)],
            ['Secrets', secrets.join(', ') || 'none'],
          ]),
      );
      if (options.json) return;
      if (secrets.length > 0)
        tell('Anyone who has the file has these secrets: keep it where only you can read it.');
      else tell('SIGNING_KEY and AUTH_SECRET are not in the file: keep them separately.');
    });
}
