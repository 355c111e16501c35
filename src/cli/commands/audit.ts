import type { Command } from 'commander';
import { auditFilterOf, auditView } from '../../api/audit.ts';
import { type AuditAction, type AuditKind, auditList } from '../../audit/entry.ts';
import { isoSeconds } from '../../lib/clock.ts';
import { pagesOf } from '../../lib/page.ts';
import { parseId } from '../arguments.ts';
import { printPages } from '../output.ts';
import { withCore } from '../with-core.ts';

interface Options {
  readonly orgId?: string;
  readonly action?: AuditAction;
  readonly kind?: AuditKind;
  readonly text?: string;
  readonly actor?: string;
  readonly target?: string;
  readonly from?: string;
  readonly to?: string;
  readonly json?: boolean;
}

export function auditCommand(program: Command, environment: NodeJS.ProcessEnv): void {
  program
    .command('audit')
    .description('show who has changed what, newest first')
    .option('--org-id <org>', 'only what concerns this organization, which may be deleted', parseId)
    .option('--action <action>', 'only this action, such as key.revoke')
    .option('--kind <kind>', 'only what was done to this kind of thing, such as limit or session (sign-ins)')
    .option('--text <text>', 'only entries whose names or changed fields contain this text')
    .option('--actor <id>', 'only what this user or key did', parseId)
    .option('--target <id>', 'only what was done to this', parseId)
    .option('--from <time>', 'the first moment, such as 2026-11-01T00:00:00Z')
    .option('--to <time>', 'the last moment, exclusive')
    .addHelpText(
      'after',
      '\nExamples:\n  $ embedgate audit --org-id "$ORG_ID"\n  $ embedgate audit --action key.revoke --json',
    )
    .action((options: Options) =>
      withCore(environment, ({ stores: { audit } }) => {
        const filter = auditFilterOf(options, options.orgId);
        const pages = pagesOf((query) => audit.page(filter, auditList.request(query)));
        return printPages(options, pages, {
          head: ['time', 'action', 'target', 'who', 'before', 'after'],
          row: (entry) => [
            isoSeconds(Math.floor(entry.at / 1_000) * 1_000),
            entry.action,
            entry.targetName ?? entry.targetId ?? '',
            entry.actorName ?? entry.actorId ?? entry.actorKind,
            entry.before ? JSON.stringify(entry.before) : '',
            entry.after ? JSON.stringify(entry.after) : '',
          ],
          view: auditView,
          none: 'There are no entries.',
        });
      }),
    );
}
