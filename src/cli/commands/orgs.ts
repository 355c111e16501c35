import { type Command, Option } from 'commander';
import { organizationView } from '../../api/organization.ts';
import { readConfig } from '../../config/config.ts';
import { validName } from '../../keys/key.ts';
import { pagesOf } from '../../lib/page.ts';
import type { Organization } from '../../organizations/organization.ts';
import { remainingOf, type Standing } from '../../quota/decide.ts';
import type { QuotaLimit } from '../../quota/tiers.ts';
import { type WindowKind, windowKinds } from '../../quota/window.ts';
import type { Core } from '../../service/core.ts';
import { parseCount, parseId } from '../arguments.ts';
import { minute, printPages, printResult, reset } from '../output.ts';
import { fields } from '../table.ts';
import { withCore } from '../with-core.ts';

type Environment = NodeJS.ProcessEnv;
type LimitOptions = { limit?: number; window?: WindowKind; json?: boolean };
type Found = { organization: Organization; standing: Standing };

/** An organization can be created in an empty installation. */
const mayCreate = { mayCreate: true };

export function orgsCommands(program: Command, environment: Environment): void {
  const orgs = program
    .command('orgs')
    .description('create and list organizations, and change their tier')
    .addHelpText('after', '\nExample:\n  $ embedgate orgs list');
  createCommand(orgs, environment);
  listCommand(orgs, environment);
  setTierCommand(orgs, environment);
}

function createCommand(parent: Command, environment: Environment): void {
  const command = parent
    .command('create')
    .description('create an organization')
    .requiredOption('--name <name>', 'its name')
    .option('--tier <tier>', 'its tier (default: DEFAULT_TIER, or free)');
  limitOptions(command)
    .addHelpText(
      'after',
      '\nExamples:\n  $ embedgate orgs create --name Acme --tier pro\n' +
        '  $ embedgate orgs create --name Acme --tier enterprise --limit 50 --window second',
    )
    .action((options: LimitOptions & { name: string; tier?: string }) => {
      const custom = customLimit(command, options);
      const tier = options.tier && knownTier(command, environment, options.tier);
      // Validate before a data directory is created.
      const name = validName(options.name);
      return withCore(
        environment,
        async (core) => {
          const { orgId } = await core.organizations.create({ name, tier, custom });
          await printOne(core, orgId, options);
        },
        mayCreate,
      );
    });
}

function listCommand(parent: Command, environment: Environment): void {
  parent
    .command('list')
    .description('list the organizations with their usage, oldest first')
    .addHelpText('after', '\nExample:\n  $ embedgate orgs list')
    .action((options: { json?: boolean }) =>
      withCore(environment, async (core) => {
        const pages = async function* () {
          for await (const page of pagesOf((query) => core.organizations.list(query)))
            yield Promise.all(page.map((one) => withStanding(core, one)));
        };
        await printPages(options, pages(), listed);
      }),
    );
}

function setTierCommand(parent: Command, environment: Environment): void {
  const command = parent
    .command('set-tier')
    .description('change the tier of an organization from its next request on; its usage carries over')
    .requiredOption('--org-id <org>', 'the organization', parseId)
    .requiredOption('--tier <tier>', 'its new tier');
  limitOptions(command)
    .addHelpText(
      'after',
      '\nExamples:\n  $ embedgate orgs set-tier --org-id "$ORG_ID" --tier scale\n' +
        '  $ embedgate orgs set-tier --org-id "$ORG_ID" --tier enterprise --limit 50 --window second',
    )
    .action((options: LimitOptions & { orgId: string; tier: string }) => {
      const custom = customLimit(command, options);
      const tier = knownTier(command, environment, options.tier);
      return withCore(environment, async (core) => {
        await core.organizations.setTier(options.orgId, tier, custom);
        await printOne(core, options.orgId, options);
      });
    });
}

function limitOptions(command: Command): Command {
  return command
    .option('--limit <requests>', 'a custom limit, for a tier that takes one, such as enterprise', parseCount)
    .addOption(
      new Option('--window <window>', 'the period of the limit (default: month)').choices(windowKinds),
    );
}

/** Returns the tier's name, or ends with a usage error. Called before anything is opened or created. */
function knownTier(command: Command, environment: Environment, name: string): string {
  const { tiers } = readConfig(environment);
  if (tiers.find(name)) return name;
  const names = tiers.names.join(', ');
  return command.error(
    `error: option '--tier <tier>' argument '${name}' is invalid. Allowed choices are ${names}.`,
  );
}

function customLimit(command: Command, { limit, window }: LimitOptions): QuotaLimit | null {
  if (limit !== undefined) return { amount: limit, window: window ?? 'month' };
  if (window !== undefined) command.error("error: option '--window <window>' needs '--limit <requests>'");
  return null;
}

async function printOne(core: Core, orgId: string, options: { json?: boolean }): Promise<void> {
  const found = await withStanding(core, await core.organizations.get(orgId));
  printResult(options, view(found), () => oneText(found));
}

async function withStanding({ ledger }: Core, organization: Organization): Promise<Found> {
  return { organization, standing: await ledger.readStanding(organization.orgId) };
}

function view({ organization, standing }: Found) {
  return organizationView(organization, standing);
}

function oneText({ organization, standing }: Found): string {
  return fields([
    ['Organization', organization.orgId],
    ['Name', organization.name],
    ['Tier', organization.tier],
    ['Limit', quotaText(standing)],
    ['Used', standing.used],
    ['Created', minute(organization.createdAt)],
  ]);
}

const listed = {
  head: ['org id', 'name', 'tier', 'limit', 'used', 'remaining', 'resets', 'created'],
  row: ({ organization, standing }: Found) => [
    organization.orgId,
    organization.name,
    organization.tier,
    quotaText(standing),
    standing.used,
    remainingOf(standing) ?? 'unlimited',
    reset(standing),
    minute(organization.createdAt),
  ],
  view,
  none: 'No organizations yet.',
};

/** Returns, for example, `10000 per month`, `5000000 tokens per month` or `unlimited`. */
export function quotaText({ limit, unit, window }: Standing): string {
  return limit === null ? 'unlimited' : `${limit}${unit === 'requests' ? '' : ` ${unit}`} per ${window}`;
}
