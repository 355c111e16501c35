import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { cruiseImports } from '../../../checks/cruise.ts';
import { importRules } from '../../../checks/import-rules.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';

/** What each rule must refuse: the importing file and the imported one. */
const forbidden: Record<string, readonly Import[]> = {
  'no-cycle': [['src/quota/a.ts', 'src/quota/b.ts']],
  'no-orphan': [['src/usage/alone.ts', 'src/usage/alone.ts']],
  resolvable: [['src/quota/lost.ts', './nowhere.ts']],
  'lib-stands-alone': [
    ['src/lib/up.ts', 'src/quota/a.ts'],
    ['src/errors.ts', 'src/config/config.ts'],
  ],
  'traces-imports-down': [['src/traces/up.ts', 'src/quota/a.ts']],
  'audit-imports-down': [['src/audit/up.ts', 'src/quota/a.ts']],
  'quota-imports-down': [['src/quota/up.ts', 'src/keys/up.ts']],
  'embeddings-imports-down': [['src/embeddings/up.ts', 'src/keys/up.ts']],
  'files-imports-down': [['src/files/up.ts', 'src/keys/up.ts']],
  'batches-imports-down': [['src/batches/up.ts', 'src/keys/up.ts']],
  'keys-imports-down': [['src/keys/up.ts', 'src/users/up.ts']],
  'usage-imports-down': [['src/usage/up.ts', 'src/config/config.ts']],
  'users-imports-down': [['src/users/web.ts', 'src/http/routes/x.ts']],
  'organizations-imports-down': [['src/organizations/up.ts', 'src/users/up.ts']],
  'alerts-imports-down': [['src/alerts/up.ts', 'src/users/up.ts']],
  'database-knows-types-of-records': [['src/database/value.ts', 'src/quota/a.ts']],
  'database-imports-down': [
    ['src/database/schema.ts', 'src/service/core.ts'],
    ['src/database/subject.ts', 'src/quota/stored-limits.ts'],
  ],
  'api-imports-down': [
    ['src/api/key.ts', 'src/http/routes/x.ts'],
    ['src/api/model.ts', 'src/database/schema.ts'],
  ],
  'databases-apart': [['src/service/sqlite/open.ts', 'src/service/postgres/open.ts']],
  'stores-named-once': [['src/http/routes/x.ts', 'src/service/open-stores.ts']],
  'engines-imports-down': [['src/engines/up.ts', 'src/embeddings/up.ts']],
  'engines-named-once': [['src/service/services.ts', 'packages/engine-onnx/src/index.ts']],
  'engines-apart': [['packages/engine-onnx/src/z.ts', 'packages/engine-upstream/src/index.ts']],
  'packages-stand-alone': [['packages/onnx-int8/src/x.ts', 'src/errors.ts']],
  'packages-by-their-entry': [
    ['src/engines/x.ts', 'packages/onnx-int8/src/steps.ts'],
    ['packages/embed-file/src/y.ts', 'packages/onnx-int8/src/steps.ts'],
  ],
  'small-stands-alone': [['packages/small/src/x.ts', 'packages/onnx-int8/src/index.ts']],
  'clients-for-the-command-line': [['src/service/core.ts', 'packages/embed-file/src/index.ts']],
  'models-for-engines': [['src/service/core.ts', 'packages/onnx-int8/src/index.ts']],
  'http-imports-down': [['src/http/routes/x.ts', 'src/service/core.ts']],
  'http-knows-the-type-of-services': [['src/http/routes/x.ts', 'src/service/services.ts']],
  'http-for-transports-only': [['src/cli/x.ts', 'src/http/routes/x.ts']],
  'service-imports-down': [['src/service/core.ts', 'src/cli/x.ts']],
  'only-there-fastify': [['src/keys/web.ts', 'node_modules/fastify/index.js']],
  'only-there-database': [
    ['src/http/sql.ts', 'node_modules/kysely/index.js'],
    ['src/cli/pg.ts', 'node_modules/pg/index.js'],
  ],
  'only-there-sign-in': [['src/http/auth.ts', 'node_modules/better-auth/index.js']],
  'only-there-mail': [['src/usage/mail.ts', 'node_modules/nodemailer/index.js']],
  'only-there-onnx-runtime': [['src/embeddings/run.ts', 'node_modules/onnxruntime-node/index.js']],
  'only-there-resilience': [['packages/engine-onnx/src/x.ts', 'node_modules/cockatiel/index.js']],
  'only-there-yaml': [['src/config/config.ts', 'node_modules/yaml/index.js']],
  'only-there-tar': [['src/backup.ts', 'node_modules/modern-tar/index.js']],
  'only-there-bucket': [['src/files/files.ts', 'node_modules/aws4fetch/index.js']],
  'only-there-cbor': [['src/http/token.ts', 'node_modules/cbor2/index.js']],
  'only-there-traces': [['src/http/x.ts', 'node_modules/@opentelemetry/api/index.js']],
  'only-there-terminal': [['src/service/core.ts', 'node_modules/commander/index.js']],
  'only-there-schemas': [['src/keys/schema.ts', 'node_modules/typebox/index.js']],
  'only-there-tables': [['src/service/core.ts', 'node_modules/csv-parse/index.js']],
  'only-there-sqlite': [['src/service/core.ts', 'node:sqlite']],
};

describe('check:imports', () => {
  it('each rule refuses what it is meant to refuse', async () => {
    assert.deepEqual(Object.keys(forbidden).sort(), importRules.map(({ name }) => name).sort());
    const imports = Object.values(forbidden).flat();
    using directory = checkoutWith([...imports, ['src/quota/b.ts', 'src/quota/a.ts']]);
    const { violations } = await cruiseImports(directory.path);
    for (const [rule, pairs] of Object.entries(forbidden)) {
      for (const [from, to] of pairs) {
        assert.ok(violations.includes(`${rule}: ${from} → ${to}`), `${rule}: ${from} → ${to}`);
      }
    }
  });

  it('the import of a type counts as much as that of a value', async () => {
    using directory = checkoutWith([['src/quota/a.ts', 'src/keys/up.ts']], 'import type {} from');
    const { violations } = await cruiseImports(directory.path);
    assert.ok(violations.includes('quota-imports-down: src/quota/a.ts → src/keys/up.ts'));
  });

  it('reports a file that the tool does not check', async () => {
    using directory = checkoutWith([['src/quota/a.ts', 'src/quota/b.ts']]);
    mkdirSync(join(directory.path, 'src/node_modules'));
    writeFileSync(join(directory.path, 'src/node_modules/hidden.ts'), '');
    assert.deepEqual((await cruiseImports(directory.path)).unseen, ['src/node_modules/hidden.ts']);
  });
});

type Import = readonly [from: string, to: string];

/** A checkout whose files only import each other; a file that "imports itself" imports nothing. */
function checkoutWith(imports: readonly Import[], keyword = 'import') {
  const directory = temporaryDirectory();
  const sources = new Map([
    ['bin/embedgate.js', ''],
    ['packages/onnx-int8/src/index.ts', ''],
  ]);
  for (const [from, to] of imports) {
    if (!to.startsWith('.') && !to.startsWith('node:') && !sources.has(to)) sources.set(to, '');
    const line = to === from ? '' : `${keyword} '${specifierOf(from, to)}';\n`;
    sources.set(from, (sources.get(from) ?? '') + line);
  }
  for (const [file, source] of sources) {
    mkdirSync(join(directory.path, dirname(file)), { recursive: true });
    writeFileSync(join(directory.path, file), source);
  }
  return directory;
}

function specifierOf(from: string, to: string): string {
  const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(to) ?? [];
  if (name) return name;
  return to.startsWith('src/') ? `./${relative(dirname(from), to)}` : to;
}
