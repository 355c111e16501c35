import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Command } from 'commander';
import { buildProgram } from '../../../src/cli/program.ts';
import { readConfig } from '../../../src/config/config.ts';
import { errorCodes, ServiceError } from '../../../src/errors.ts';
import { may, permitted, roles, scopeFor } from '../../../src/organizations/access.ts';
import { standardTiers } from '../../../src/quota/tiers.ts';
import { allRows, checkout, pages, tableUnder } from '../../docs/markdown.ts';

const unquoted = (cell = ''): string | undefined => /^`([^`]*)`$/.exec(cell)?.[1];

describe('the documentation', () => {
  it('states the defaults of environment variables', () => {
    const rows = allRows(pages().find(({ path }) => path === 'docs/environment.md')!);
    for (const [name = '', value = ''] of rows) {
      const documented = unquoted(value);
      if (documented === undefined) continue;
      assert.deepEqual(readConfig({ [unquoted(name)!]: documented }), readConfig({}), `${name} ${value}`);
    }
  });

  it('states the monthly requests of the tiers', () => {
    const tiers = pages().find(({ path }) => path === 'docs/limits.md')!;
    const documented = tableUnder(tiers, 'Tiers').map(([tier, ...terms]) => [unquoted(tier), ...terms]);
    assert.deepEqual(
      documented.map(([tier]) => tier),
      standardTiers.names,
    );
    for (const { name: tier, monthlyLimit: requests, price } of standardTiers.all) {
      const [, text = '', stated] = documented.find(([name]) => name === tier) ?? [];
      assert.equal(stated, price);
      if (requests === null) assert.match(text, /^unlimited/);
      else assert.equal(text, requests.toLocaleString('en-US'));
    }
  });

  it('states what models have to be chosen by, and the facts of the built-in one', () => {
    const rows = tableUnder(pages().find(({ path }) => path === 'docs/models.md')!, 'Choose a model');
    assert.deepEqual(
      rows.filter((cells) => cells.some((cell) => cell === '')),
      [],
    );
    const file = (name: string) =>
      JSON.parse(readFileSync(join(checkout, 'packages/builtin-model/model', name), 'utf8'));
    const [dimensions, tokens] = [
      file('config.json').hidden_size,
      file('sentence_bert_config.json').max_seq_length,
    ];
    assert.deepEqual(rows[0]?.slice(2, 5), [`${dimensions}`, `${tokens} tokens`, 'English']);
    const { license } = JSON.parse(
      readFileSync(join(checkout, 'packages/builtin-model/package.json'), 'utf8'),
    );
    assert.equal(rows[0]?.[6], license.replace('Apache-', 'Apache '));
  });

  it('lists every error code with its status', () => {
    const page = pages().find(({ path }) => path === 'docs/errors.md')!;
    const documented = tableUnder(page, 'Codes').map(([code, status]) => [unquoted(code), Number(status)]);
    const expected = errorCodes.map((code) => [code, new ServiceError(code, '').status]);
    assert.deepEqual(documented.sort(), expected.sort());
  });

  it('states what each role may do, for every operation', () => {
    const page = pages().find(({ path }) => path === 'docs/access.md')!;
    const documented = tableUnder(page, 'Roles').map(([what = '', ...cells]) => ({
      action: permitted('administrator').find((action) => what.endsWith(`: \`${action}\``)),
      cells,
    }));
    assert.deepEqual(documented.map(({ action }) => action).sort(), permitted('administrator').sort());
    for (const { action, cells } of documented) {
      const scope = scopeFor(action!);
      const ofKeys = scope === null || scope === 'any' ? (scope ?? 'no') : `\`${scope}\``;
      const expected = [...roles.map((role) => (may(role, action!) ? 'yes' : 'no')), ofKeys];
      assert.deepEqual(cells, expected, action);
    }
  });

  it('uses only existing commands and options, and describes all commands', () => {
    const mentioned = new Set<string>();
    for (const { path, prose, blocks } of pages()) {
      const code = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, inline = '']) => inline);
      const lines = [
        ...code,
        ...blocks.filter(({ language }) => language === 'sh').map((block) => block.code),
      ];
      for (const line of lines.join('\n').replaceAll('\\\n', ' ').split('\n')) {
        const [, invocation] = /(?:^|npx |&& )embedgate ([a-z].*)$/.exec(line) ?? [];
        if (invocation) mentioned.add(assertCommand(buildProgram({}), invocation, path));
      }
    }
    assert.deepEqual([...mentioned].sort(), leaves(buildProgram({})).sort());
  });
});

/** Returns the command's full name. Fails when the invocation names an unknown command or option. */
function assertCommand(program: Command, invocation: string, path: string): string {
  const words = invocation.split(/\s+/);
  let command = program;
  const names: string[] = [];
  while (command.commands.length > 0) {
    const next = command.commands.find((child) => child.name() === words[names.length]);
    assert.ok(next, `${path}: embedgate ${invocation}`);
    names.push(next.name());
    command = next;
  }
  const options = [...invocation.matchAll(/(?<=\s)--[a-z\d-]+/g)].map(([option]) => option);
  for (const option of options) {
    const known = command.options.some(({ long }) => long === option) || option === '--help';
    assert.ok(known, `${path}: ${names.join(' ')} has no ${option}`);
  }
  return names.join(' ');
}

function leaves(command: Command, path: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [path.join(' ')];
  return command.commands.flatMap((child) => leaves(child, [...path, child.name()]));
}
