import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { createdKeyView, keyView, rotatedKeyView } from '../../api/key.ts';
import { notFound } from '../../errors.ts';
import { type CreatedKey, defaultGraceMs, type KeySummary, type NewKey } from '../../keys/key.ts';
import { installationScopes, type Scope, scopes } from '../../keys/rights.ts';
import { pagesOf } from '../../lib/page.ts';
import { parseDigest, parseId, parseLifetime, parseList, parseScopes } from '../arguments.ts';
import { expiry, minute, printList, printPages, printResult, tell } from '../output.ts';
import { columns, fields } from '../table.ts';
import { pruneKeysQuietly, withCore } from '../with-core.ts';

type Environment = NodeJS.ProcessEnv;

/** What stands where a key of the installation has no organization. */
const installation = '(installation)';
const shownOnce = 'This API key is shown only once: save it now.';

export function keysCommands(program: Command, environment: Environment): void {
  const keys = program
    .command('keys')
    .description('create, list, find, rotate and revoke API keys')
    .addHelpText('after', '\nExample:\n  $ embedgate keys list --org-id "$ORG_ID"');
  createCommand(keys, environment);
  listCommand(keys, environment);
  findCommand(keys, environment);
  rotateCommand(keys, environment);
  revokeCommand(keys, environment);
}

export function createCommand(
  parent: Command,
  environment: Environment,
  description = 'create an API key and show it once',
): void {
  type Options = NewKey &
    OwnerOptions & { userId?: string; expiresIn?: number; json?: boolean } & {
      scope?: Scope[];
      model?: string[];
      network?: string[];
      secretSha256?: string;
    };
  parent
    .command('create')
    .description(description)
    .option(
      '--user-id <user>',
      'the user that the key of an organization belongs to: any name, which need not have an account',
    )
    .option('--org-id <org>', 'the organization whose quota it uses', parseId)
    .option('--installation', 'a key of the installation, with which a program manages all organizations')
    .requiredOption('--name <name>', 'what the key is for')
    .option(
      '--expires-in <duration>',
      'how long it is valid, such as 90d or 12h, or never (default: 1y)',
      parseLifetime,
    )
    .option('--default-model <model>', 'the name or an alias of the model for requests that name none')
    .option(
      '--scope <scope>',
      `what the key may do; can be repeated: ${scopes.join(', ')} (default: all but manage:keys); of the ` +
        `installation: ${installationScopes.join(', ')}`,
      parseScopes,
    )
    .option(
      '--model <model>',
      'a name or an alias of a model that the key may use; can be repeated (default: all models)',
      (model, others: string[] = []) => [...others, model],
    )
    .option(
      '--network <network>',
      'an address or a network from which the key may be used, such as 203.0.113.0/24; can be repeated (default: everywhere)',
      parseList,
    )
    .option(
      '--secret-sha256 <digest>',
      'the SHA-256 of a secret that you keep, such as a key of another system; no other key is made',
      parseDigest,
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ embedgate keys create --user-id ada --org-id "$ORG_ID" --name laptop\n' +
        '  $ embedgate keys create --user-id ada --org-id "$ORG_ID" --name ci --expires-in 90d --json | jq -r .key\n' +
        '  $ embedgate keys create --user-id ada --org-id "$ORG_ID" --name crawler --scope embed --scope batch\n' +
        '  $ embedgate keys create --installation --name billing --scope read --scope manage:organizations',
    )
    .action((options: Options, command: Command) => {
      const { expiresIn: lifetimeMs, scope, model, network, name, defaultModel, userId = null } = options;
      const { secretSha256: digest } = options;
      const orgId = ownerIn(options, command);
      if (orgId !== null && userId === null) command.error('error: say --user-id, whose key it is');
      return withCore(environment, async (core) => {
        const described = { name, orgId, userId, ...(defaultModel != null && { defaultModel }) };
        const rights = {
          ...(scope && { scopes: scope }),
          ...(model && { models: model }),
          networks: network ?? null,
        };
        const created = await core.keys.create({ ...described, ...rights, lifetimeMs, digest });
        printResult(options, createdKeyView(created), () => createdText(created));
        if (!options.json && digest === undefined) tell(shownOnce);
        await pruneKeysQuietly(core);
      });
    });
}

function listCommand(parent: Command, environment: Environment): void {
  parent
    .command('list')
    .description('list the API keys of an organization or of the installation, newest first')
    .option('--org-id <org>', 'the organization', parseId)
    .option('--installation', 'the keys of the installation')
    .addHelpText('after', '\nExample:\n  $ embedgate keys list --org-id "$ORG_ID"')
    .action((options: OwnerOptions & { json?: boolean }, command: Command) => {
      const orgId = ownerIn(options, command);
      return withCore(environment, async ({ keys, organizations, clock }) => {
        if (orgId !== null) await organizations.get(orgId);
        const pages = pagesOf((query) => keys.list(orgId, query));
        const row = rowAt(clock.now());
        await printPages(options, pages, { head, row, view: keyView, none: 'No keys yet.' });
      });
    });
}

function findCommand(parent: Command, environment: Environment): void {
  parent
    .command('find')
    .description('find the organization of an API key, by the key itself or by the hint that lists show')
    .option('--hint <hint>', 'such as sk_…6f9b; without it, the key is read from standard input')
    .addHelpText(
      'after',
      '\nExamples:\n  $ embedgate keys find < leaked-key.txt\n  $ embedgate keys find --hint "sk_…6f9b"',
    )
    .action((options: { hint?: string; json?: boolean }) =>
      withCore(environment, async ({ keys, clock }) => {
        const { hint } = options;
        const found =
          hint === undefined ? await keys.bySecrets(await text(process.stdin)) : await keys.byHint(hint);
        if (found.length === 0) throw notFound('No API key matches');
        const list = () =>
          `${columns(
            ['organization', 'key id'],
            found.map(({ orgId, keyId }) => [orgId ?? installation, keyId]),
          )}\n\n${columns(head, found.map(rowAt(clock.now())))}`;
        printList(options, found.map(keyView), list, '');
      }),
    );
}

export function revokeCommand(
  parent: Command,
  environment: Environment,
  description = 'revoke an API key permanently; the next request with it is refused',
): void {
  parent
    .command('revoke')
    .description(description)
    .requiredOption('--key-id <key>', 'the key to revoke', parseId)
    .addHelpText(
      'after',
      '\nSuccessors that the key created by rotating itself are revoked with it, and so are theirs. A ' +
        'successor that a\n' +
        'person created by rotating the key stays valid.\n\nExample:\n  $ embedgate keys revoke --key-id "$KEY_ID"',
    )
    .action((options: { keyId: string; json?: boolean }) =>
      withCore(environment, async ({ keys }) => {
        const { keyId } = options;
        const alsoRevoked = await keys.revoke(keyId);
        const result = { key_id: keyId, status: 'revoked', also_revoked: alsoRevoked };
        printResult(options, result, () =>
          [`Revoked ${keyId}.`, ...alsoRevoked.map((id) => `Revoked its successor ${id}.`)].join('\n'),
        );
      }),
    );
}

/** Creates the successor of a key. The old key works for a while. */
function rotateCommand(parent: Command, environment: Environment): void {
  parent
    .command('rotate')
    .description('create the key that replaces an API key, and show it once; the old key works for a while')
    .requiredOption('--key-id <key>', 'the key to replace', parseId)
    .option(
      '--grace <duration>',
      'how long the old key still works, such as 12h (default: 1d)',
      parseLifetime,
    )
    .addHelpText('after', '\nExample:\n  $ embedgate keys rotate --key-id "$KEY_ID" --grace 12h')
    .action((options: { keyId: string; grace?: number; json?: boolean }) =>
      withCore(environment, async ({ keys }) => {
        const rotated = await keys.rotate(options.keyId, options.grace ?? defaultGraceMs);
        printResult(options, rotatedKeyView(options.keyId, rotated), () => createdText(rotated));
        if (!options.json) tell(shownOnce);
      }),
    );
}

interface OwnerOptions {
  readonly orgId?: string | null;
  readonly installation?: boolean;
}

/** Returns whose keys a command is about. Null: the installation's. Anything else is wrong usage. */
function ownerIn({ orgId = null, installation: isOfAll = false }: OwnerOptions, command: Command) {
  if ((orgId === null) === isOfAll) return orgId;
  return command.error('error: say either --org-id or --installation');
}

function createdText({ key, secret }: CreatedKey): string {
  return fields([
    ['Key id', key.keyId],
    ['Organization', key.orgId ?? installation],
    ['User', key.userId ?? ''],
    ['Name', key.name],
    ['Expires', expiry(key.expiresAt)],
    ['API key', secret || 'only you have it'],
  ]);
}

const head = ['key id', 'name', 'user', 'status', 'key', 'model', 'created', 'last used', 'expires'];
const rowAt = (nowMs: number) => (key: KeySummary) => [
  key.keyId,
  key.name,
  key.userId ?? '',
  statusAt(key, nowMs),
  key.hint,
  key.defaultModel ?? '',
  minute(key.createdAt),
  key.lastUsedAt === null ? 'never' : minute(key.lastUsedAt),
  expiry(key.expiresAt),
];

function statusAt({ status, enabled, expiresAt }: KeySummary, nowMs: number): string {
  if (status === 'active' && expiresAt <= nowMs) return 'expired';
  return status === 'active' && !enabled ? 'paused' : status;
}
