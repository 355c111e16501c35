import type { IForbiddenRuleType } from 'dependency-cruiser';

/**
 * The direction of imports: `bin → main → cli → server → service`, `app → http`, then `api` (used by `cli` and `http`),
 * the domains, `database`, `errors` and `lib`. A file may import what is further right, never the reverse. docs/architecture.md
 * says why.
 */

/** Each domain, and the other domains that it may import. */
const domains: Record<string, readonly string[]> = {
  audit: [],
  quota: [],
  engines: [],
  traces: [],
  embeddings: ['quota', 'traces'],
  files: [],
  keys: ['quota'],
  usage: ['quota'],
  alerts: ['usage', 'quota'],
  batches: ['alerts', 'files', 'embeddings'],
  organizations: ['keys', 'usage', 'quota'],
  users: ['organizations', 'keys', 'quota', 'audit'],
};
const domainNames = Object.keys(domains).join('|');

/** Libraries that only one part may import; other parts use that part instead. */
const libraries: Record<string, { readonly packages: string; readonly onlyFrom: string }> = {
  fastify: { packages: 'fastify|@fastify/[^/]+', onlyFrom: '^src/(http/|app\\.ts$)' },
  database: { packages: 'kysely|pg', onlyFrom: `^src/(database|service|${domainNames})/` },
  'sign-in': { packages: 'better-auth|@better-auth/[^/]+', onlyFrom: '^src/users/' },
  mail: { packages: 'nodemailer', onlyFrom: '^src/lib/mailer\\.ts$' },
  'onnx-runtime': { packages: 'onnxruntime-node|tokenizers', onlyFrom: '^packages/engine-onnx/' },
  resilience: { packages: 'cockatiel', onlyFrom: '^(packages/engine-upstream|src/alerts/channel-kinds)/' },
  yaml: { packages: 'yaml', onlyFrom: '^src/config/settings-file\\.ts$' },
  tar: { packages: 'modern-tar', onlyFrom: '^src/service/backup/' },
  bucket: { packages: 'aws4fetch', onlyFrom: '^src/files/bucket-pieces\\.ts$' },
  cbor: { packages: 'cbor2', onlyFrom: '^src/keys/' },
  schemas: { packages: 'typebox', onlyFrom: '^src/(api|http)/' },
  tables: { packages: 'csv-parse|hyparquet|hyparquet-writer', onlyFrom: '^packages/embed-file/' },
  traces: { packages: '@opentelemetry/[^/]+', onlyFrom: '^src/traces/' },
  terminal: { packages: 'commander|cli-progress|string-width', onlyFrom: '^src/cli/' },
};

function never(name: string, comment: string, from: string, to: string): IForbiddenRuleType {
  return { name, comment, severity: 'error', from: { path: from }, to: { path: to } };
}

export const importRules: IForbiddenRuleType[] = [
  {
    name: 'no-cycle',
    comment: 'Two files that need each other are one file, or lack a third.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-orphan',
    comment: 'A file that nothing imports and that imports nothing does nothing.',
    severity: 'error',
    from: { orphan: true },
    to: {},
  },
  {
    name: 'resolvable',
    comment: 'An import that leads nowhere hides what it would have broken.',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
  never(
    'lib-stands-alone',
    'lib and errors know each other and nothing above them.',
    '^src/(lib/|errors\\.ts$)',
    '^(bin/|src/(?!lib/|errors\\.ts$))',
  ),
  ...Object.entries(domains).map(([domain, known]) =>
    never(
      `${domain}-imports-down`,
      'A domain knows errors, lib, the database and the domains below it: no transport, no settings.',
      `^src/${domain}/`,
      `^(bin/|src/(?!${[domain, ...known, 'lib', 'database'].map((name) => `${name}/`).join('|')}|errors\\.ts$))`,
    ),
  ),
  {
    name: 'database-knows-types-of-records',
    comment: 'The tables have the records of the domains. What runs knows only who makes a change.',
    severity: 'error',
    from: { path: '^src/database/' },
    to: { path: `^src/(?!audit/)(${domainNames})/`, dependencyTypesNot: ['type-only'] },
  },
  never(
    'database-imports-down',
    'What all subjects share knows none of them, and nothing above them.',
    '^src/database/',
    `^(bin/|src/(?!database/|(${domainNames}|lib)/|(errors|version)\\.ts$)|src/[^/]+/stored-)`,
  ),
  never(
    'api-imports-down',
    'The API’s resources know the records of the domains, but no transport, storage or settings.',
    '^src/api/',
    `^(bin/|src/(?!api/|(${domainNames}|lib)/|errors\\.ts$))`,
  ),
  never(
    'databases-apart',
    'One database’s implementation knows nothing of the other’s.',
    '^src/.*(sqlite|postgres)[/-]',
    '^src/(?!.*$1[/-]).*(sqlite|postgres)[/-]',
  ),
  {
    name: 'stores-named-once',
    comment:
      'Only service/core.ts names an implementation of the stores; move.ts, backup.ts and restore.ts name both.',
    severity: 'error',
    from: { path: '^src/', pathNot: '^src/(service/|[^/]+/(sqlite|postgres)[/-])' },
    to: { path: '^src/(service/open-stores\\.ts|[^/]+/(sqlite|postgres)[/-])' },
  },
  {
    name: 'engines-named-once',
    comment: 'Only src/engines opens engines. The command line also pulls, converts and measures models.',
    severity: 'error',
    from: { path: '^(bin|src)/', pathNot: '^src/(cli|engines)/' },
    to: { path: '^packages/engine-' },
  },
  never(
    'engines-apart',
    'One engine knows nothing of the other.',
    '^packages/(engine-[^/]+)/',
    '^packages/(?!$1/)engine-',
  ),
  never('packages-stand-alone', 'A package knows nothing of the service.', '^packages/', '^(bin|src)/'),
  {
    name: 'packages-by-their-entry',
    comment: 'What others use of a package is in its src/index.ts. Of `small`, each file is a door.',
    severity: 'error',
    from: { path: '^(bin|packages/([^/]+)|src)/' },
    to: { path: '^packages/', pathNot: '^packages/(?:$2/|small/src/|[^/]+/src/index\\.ts$)' },
  },
  never(
    'small-stands-alone',
    'What all parts share knows none of them.',
    '^packages/small/',
    '^packages/(?!small/)',
  ),
  never(
    'models-for-engines',
    'Only engines know how models are made.',
    '^(bin|src)/',
    '^packages/onnx-int8/',
  ),
  {
    name: 'clients-for-the-command-line',
    comment: 'The service is no client of itself.',
    severity: 'error',
    from: { path: '^(bin|packages/([^/]+)|src)/', pathNot: '^src/cli/' },
    to: { path: '^packages/embed-file/', pathNot: '^packages/$2/' },
  },
  never(
    'http-imports-down',
    'Routes and plugins know the domains, not who starts them nor what stores them.',
    '^src/http/',
    '^(bin/|src/(main|server|app)\\.ts$|src/(cli|database)/|src/service/(?!services\\.ts$))',
  ),
  {
    name: 'http-knows-the-type-of-services',
    comment: 'Routes are given the services; only their type may be imported.',
    severity: 'error',
    from: { path: '^src/http/' },
    to: { path: '^src/service/services\\.ts$', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'http-for-transports-only',
    comment: 'What is above HTTP works without it; server.ts needs the application’s type.',
    severity: 'error',
    from: { path: '^src/', pathNot: '^src/(http/|(app|server)\\.ts$)' },
    to: { path: '^src/http/' },
  },
  never(
    'service-imports-down',
    'What is assembled at start knows nothing of the command line, the server or HTTP.',
    '^src/service/',
    '^(bin/|src/(main|server|app)\\.ts$|src/(cli|http)/)',
  ),
  ...Object.entries(libraries).map(
    ([name, { packages, onlyFrom }]): IForbiddenRuleType => ({
      name: `only-there-${name}`,
      comment: `${packages}: only from ${onlyFrom}`,
      severity: 'error',
      from: { path: '^(bin|packages|src)/', pathNot: onlyFrom },
      to: { path: `(^|/)node_modules/(${packages})/` },
    }),
  ),
  {
    name: 'only-there-sqlite',
    comment:
      'node:sqlite: only where the name says it, for backups and moves, and for the lock between processes',
    severity: 'error',
    from: {
      path: '^(bin|packages|src)/',
      pathNot: '^(src/[^/]+/(sqlite|backup|move)|packages/small/src/process-lock\\.ts$)',
    },
    to: { path: '^(node:)?sqlite$' },
  },
];
