import type { Command } from 'commander';
import { readConfig } from '../../config/config.ts';

export function serveCommand(program: Command, environment: NodeJS.ProcessEnv): void {
  program
    .command('serve')
    .description('run the service until SIGTERM, SIGHUP or SIGINT; settings come from the environment')
    .addHelpText(
      'after',
      '\nExamples:\n  $ embedgate serve\n  $ PORT=9000 DATA_DIR=/var/lib/embedgate embedgate serve' +
        '\n  $ embedgate serve --config /etc/embedgate.yaml',
    )
    .option('--config <file>', 'a YAML or JSON file with models to serve; same as EMBEDGATE_CONFIG')
    .action(async (options: { config?: string }) => {
      const config = readConfig(
        options.config === undefined ? environment : { ...environment, EMBEDGATE_CONFIG: options.config },
      );
      // Loaded here, because most commands need neither the model's runtime nor the HTTP application.
      const { serve } = await import('../../server.ts');
      await serve(config);
    });
}
