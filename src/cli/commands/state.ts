import { type Command, CommanderError } from 'commander';
import { fieldsOf } from '../../../packages/small/src/json.ts';
import { ConfigError } from '../../config/config.ts';
import { yamlOf } from '../../config/settings-file.ts';
import { messageOf } from '../../errors.ts';
import { withoutControls } from '../../lib/harmless.ts';
import { printResult, tell } from '../output.ts';
import { type Change, changesBetween, changeView, lineOf, requestOf } from '../state/changes.ts';
import { forEach, type Send, senderTo } from '../state/client.ts';
import { currentState } from '../state/current-state.ts';
import { type Item, itemsOf } from '../state/item.ts';
import { defaultUrl } from './embed.ts';

type Options = { plan?: boolean; prune?: boolean; url?: string; json?: boolean };

/** The exit code of a plan that has changes. */
const hasChanges = 3;
const details = `
docs/installation-as-files.md explains the file. EMBEDGATE_KEY is a key of the installation with the scopes read,
manage:users and manage:alerts, and to apply a file also manage:organizations and manage:limits.

Example:
  $ EMBEDGATE_KEY=sk_… embedgate `;
const planDetails = `
The exit code with --plan is ${hasChanges} if there are changes, and 0 if there are none.${details}apply state.yaml --plan`;

export function stateCommands(program: Command, environment: NodeJS.ProcessEnv): void {
  const url = ['--url <url>', `the server; same as EMBEDGATE_URL (default: ${defaultUrl})`] as const;
  program
    .command('export')
    .description('write the organizations of a running server, with limits, channels and members, as YAML')
    .option(...url)
    .addHelpText('after', `${details}export > state.yaml`)
    .action((options: Options) => exportState(environment, options));
  program
    .command('apply')
    .description('give a running server the organizations, limits, channels and members of a file')
    .argument('<file>', 'YAML or JSON, as "embedgate export" writes it')
    .option('--plan', 'print the changes, and make none')
    .option('--prune', 'delete limits and channels that the file does not have, where it states the others')
    .option(...url)
    .addHelpText('after', planDetails)
    .action((file: string, options: Options) => apply(environment, file, options));
}

async function exportState(environment: NodeJS.ProcessEnv, options: Options): Promise<void> {
  const { writtenState } = await import('../state/state-file.ts');
  const current = await currentState(senderTo(environment, options.url), () => true);
  const { state, unset } = writtenState(current.state, environment);
  printResult(options, state, () => yamlOf(state).trimEnd());
  for (const { name, org_id } of current.unnamed)
    tell(`Left out, because it has no external id: ${name} (${org_id})`);
  for (const [name, meaning] of unset) tell(`The variable ${name} stands for ${meaning}`);
}

async function apply(environment: NodeJS.ProcessEnv, file: string, options: Options): Promise<void> {
  const { readStateFile } = await import('../state/state-file.ts');
  const written = readStateFile(file, environment);
  const owners = new Set(written.organizations?.map(({ external_id }) => external_id));
  const send = senderTo(environment, options.url);
  const { state, unnamed, tiers } = await currentState(send, (externalId) => owners.has(externalId));
  const names = tiers.map(({ name }) => name);
  const unknown = written.organizations?.find(({ tier }) => tier !== undefined && !names.includes(tier));
  if (unknown)
    throw new ConfigError(`${file}: the tier of ${unknown.external_id} must be one of ${names.join(', ')}`);
  const current = itemsOf(state, tiers);
  // A list that the file doesn't state stays.
  const isDeleted = ({ kind, owner }: Item): boolean => {
    const stated = owner === null ? written : written.organizations?.find((one) => one.external_id === owner);
    return options.prune === true && /limit|channel/.test(kind) && `${kind}s` in fieldsOf(stated);
  };
  const { changes, left } = changesBetween(itemsOf(written, tiers), current, isDeleted);
  const shown: object[] = [];
  const show = (change: Change, once: object = {}) => {
    shown.push({ ...changeView(change), ...once });
    if (!options.json) console.log(withoutControls([lineOf(change), ...Object.values(once)].join(' ')));
  };
  const counts: Record<string, number> = unnamed.length > 0 ? { organization: unnamed.length } : {};
  for (const { kind } of left) counts[kind] = (counts[kind] ?? 0) + 1;
  try {
    if (options.plan) for (const change of changes) show(change);
    else await makeAll(send, changes, current, show);
  } finally {
    // Also after a failure: what the service shows only once would be lost.
    if (options.json) printResult(options, { object: 'list', data: shown, not_in_file: counts }, String);
  }
  tell(`${counted(changes.length, 'change')}${options.plan ? ' to make' : ''}`);
  const words = Object.entries(counts).map(([kind, count]) => counted(count, kind));
  if (words.length > 0) tell(`Not in the file: ${words.join(', ')}`);
  if (options.plan && changes.length > 0) throw new CommanderError(hasChanges, 'embedgate.changes', '');
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Makes all changes, those of an organization one after another, and calls `show` after each. */
async function makeAll(
  send: Send,
  changes: readonly Change[],
  current: readonly Item[],
  show: (change: Change, once: object) => void,
): Promise<void> {
  const organizations = current.filter(({ kind }) => kind === 'organization');
  const paths = new Map(organizations.map(({ owner, source }) => [owner, `/organizations/${source.org_id}`]));
  let made = 0;
  await forEach([...Map.groupBy(changes, ({ item }) => item.owner)], async ([owner, own]) => {
    for (const change of own) {
      const { org_id, secret, url } = await send(requestOf(change, paths.get(owner) ?? '')).catch((cause) => {
        throw new Error(`${lineOf(change)}: ${messageOf(cause)}`, { cause });
      });
      if (change.item.kind === 'organization') paths.set(owner, `/organizations/${org_id}`);
      made += 1;
      // What the service shows only once.
      show(change, { ...(secret && !change.item.source.secret ? { secret } : {}), ...(url ? { url } : {}) });
    }
  }).catch((cause) => {
    const progress = `${made} of ${counted(changes.length, 'change')} are made: run the command again for the rest`;
    throw new Error(`${messageOf(cause)}. ${progress}`, { cause });
  });
}
