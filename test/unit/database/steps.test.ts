import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Step } from '../../../src/database/migrations/database-kind.ts';
import { ownSteps } from '../../../src/database/migrations/index.ts';

// The rules for steps in CONTRIBUTING.md that can be checked.

/** Returns what is wrong with a step that follows the first one. */
function faultsOf(name: string, { sqlite, postgres, isOnline }: Step): string[] {
  const faults = (statements: readonly string[], kind: string, rules: readonly [RegExp, string][]) =>
    statements.flatMap((statement) =>
      rules.filter(([pattern]) => pattern.test(statement.trim())).map(([, fault]) => `${kind}: ${fault}`),
    );
  const both: [RegExp, string][] = [
    [/\b(DROP COLUMN|SET NOT NULL)\b/i, 'earlier releases use the column'],
    [
      /ADD COLUMN(?!.*\bDEFAULT\b).*\bNOT NULL\b/is,
      'a new column that earlier releases don’t fill needs a default',
    ],
    [/\bRENAME COLUMN\b/i, 'earlier releases use the name: add another column, and drop this one later'],
  ];
  const onPostgres: [RegExp, string][] = isOnline
    ? [
        [/^CREATE (UNIQUE )?INDEX (?!CONCURRENTLY IF NOT EXISTS)/i, 'an online step must be safe to repeat'],
        [/^(?!CREATE |UPDATE |ALTER TABLE .* VALIDATE )/i, 'this statement needs a transaction'],
      ]
    : [
        [/^CREATE (UNIQUE )?INDEX/i, 'an index of a table in use is made CONCURRENTLY, in an online step'],
        [/^UPDATE/i, 'rows of a table in use are filled in parts, in an online step'],
        [
          /ADD CONSTRAINT(?!.*NOT VALID)/is,
          'a constraint is NOT VALID first, and validated in an online step',
        ],
      ];
  return [
    ...(/^\d{4}-\d+\.\d+-[\w-]+$/.test(name)
      ? []
      : ['the name does not state the oldest release that can serve on it']),
    ...faults(sqlite(), 'SQLite', both),
    ...faults(postgres(), 'Postgres', [...both, ...onPostgres]),
  ];
}

test('each step keeps the rules', async () => {
  for (const [place, name] of ownSteps.names.entries())
    if (place > 0) assert.deepEqual(faultsOf(name, await ownSteps.load(place)), [], name);
});

test('the rules find what would hurt an installation', () => {
  const name = '0002-1.0-note';
  const on = (sqlite: string[], postgres = sqlite, more: Partial<Step> = {}): string[] =>
    faultsOf(name, { sqlite: () => sqlite, postgres: () => postgres, ...more });
  const good = [`ALTER TABLE api_keys ADD COLUMN note TEXT NOT NULL DEFAULT ''`];
  assert.deepEqual(on(good), []);
  assert.equal(faultsOf('0002-note', { sqlite: () => good, postgres: () => good }).length, 1);
  assert.equal(on(['ALTER TABLE api_keys ADD COLUMN note TEXT NOT NULL']).length, 2);
  assert.equal(on(['ALTER TABLE api_keys RENAME COLUMN name TO label']).length, 2);
  assert.equal(on(['ALTER TABLE api_keys DROP COLUMN name']).length, 2);
  assert.deepEqual(
    on(['CREATE TABLE new (id TEXT)', 'DROP TABLE old', 'ALTER TABLE new RENAME TO old'], []),
    [],
  );
  for (const statement of [
    'CREATE INDEX notes ON api_keys (note)',
    `UPDATE api_keys SET note = 'x'`,
    'ALTER TABLE api_keys ADD CONSTRAINT short CHECK (length(note) < 9)',
  ])
    assert.equal(on([], [statement]).length, 1, statement);
  const online = { isOnline: true } as const;
  assert.equal(on([], ['CREATE INDEX CONCURRENTLY notes ON api_keys (note)'], online).length, 1);
  assert.equal(on([], ['ALTER TABLE api_keys ADD COLUMN note TEXT'], online).length, 1);
  const index = 'CREATE INDEX CONCURRENTLY IF NOT EXISTS notes ON api_keys (note)';
  assert.deepEqual(on(['CREATE INDEX notes ON api_keys (note)'], [index], online), []);
});
