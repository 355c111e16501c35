import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { checkout, type Page, pages } from '../../docs/markdown.ts';
import { assertShown } from '../../docs/shown-output.ts';

test('every relative link of the documentation leads to a file, and every anchor to a heading', () => {
  const all = pages();
  const anchorsByPath = new Map(all.map((page) => [page.path, anchorsOf(page)]));
  let links = 0;
  for (const { path, prose } of all) {
    for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      links += 1;
      const [file, anchor] = target.split('#', 2);
      const found = file ? relative(checkout, join(checkout, dirname(path), file)) : path;
      assert.ok(existsSync(join(checkout, found)), `${path}: ${target} leads nowhere`);
      // `npm run check:tour` compares the lines of code.
      if (anchor !== undefined && found.endsWith('.md')) {
        assert.ok(anchorsByPath.get(found)?.has(anchor), `${path}: ${target} has no such heading`);
      }
    }
  }
  assert.ok(links > 20, `${links} links`);
});

test('every npm script that the documentation, CI or a workflow runs exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  const files = globSync(['*.md', 'docs/**/*.md', '.ci/run', '.github/workflows/*.yml'], { cwd: checkout });
  const named = files.flatMap((path) =>
    [...readFileSync(join(checkout, path), 'utf8').matchAll(/\bnpm run ([a-z][\w:-]*\b)(?! -w)/g)].map(
      ([, name]) => ({
        path,
        name: name!,
      }),
    ),
  );
  assert.ok(named.some(({ path }) => path.endsWith('.yml')));
  assert.deepEqual(
    named.filter(({ name }) => !(name in scripts)),
    [],
  );
});

test('decision records have one number each, state their status, and are listed in order', () => {
  const records = pages().filter(({ path }) => /^docs\/adr\/\d/.test(path));
  const index = pages().find(({ path }) => path === 'docs/adr/README.md')!;
  const listed = [...index.prose.matchAll(/^- \[(\d+)\. .+\]\(([^)]+)\)/gm)].map(([, number, file]) => [
    number,
    file,
  ]);
  assert.ok(records.length > 20);
  const found = records.map(({ path, prose }) => {
    const file = path.slice('docs/adr/'.length);
    const number = String(Number(file.slice(0, 4)));
    assert.match(prose, new RegExp(`^# ${number}\\. .+\n\nStatus: (accepted|superseded by)\\b`), path);
    return [number, file];
  });
  assert.deepEqual(listed, found);
  assert.equal(new Set(found.map(([number]) => number)).size, found.length);
});

/** Anchors as GitHub makes them. */
function anchorsOf({ prose }: Page): Set<string> {
  const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

const unit = [0.6, 0.8, ...new Array<number>(382).fill(0)];
const answer = (vector: number[], cached = false) => JSON.stringify({ embedding: vector, cached });

test('shown output may differ only in ids, secrets and times', () => {
  const actual = `${randomUUID()}  sk_${'a'.repeat(64)}  2026-11-21T06:57Z  "monthly";r=9999;t=838962\n`;
  assertShown(
    'text',
    `${randomUUID()} sk_… 2030-01-01T00:00Z "monthly";r=9999;t=1`.replaceAll(' ', '   '),
    actual,
  );
  assert.throws(() =>
    assertShown('text', `${randomUUID()}  sk_…  2026-11-21T06:57Z  "monthly";r=9998;t=1`, actual),
  );
  assert.throws(() => assertShown('text', 'key_…  sk_…  2026-11-21T06:57Z  "monthly";r=9999;t=1', actual));
});

test('a vector may be abridged, but its shown part and everything around it may not differ', () => {
  assertShown('json', '{"embedding": [0.6, …], "cached": false}', answer(unit));
  assert.throws(() => assertShown('json', '{"embedding": [0.7, …], "cached": false}', answer(unit)));
  assert.throws(() => assertShown('json', '{"embedding": [0.6, …], "cached": true}', answer(unit)));
  assert.throws(() => assertShown('json', '{"embedding": [0.6, …]}', answer(unit)));
  assert.throws(() => assertShown('json', '{"embedding": [0.6, …], "cached": false}', answer([0.6, 0.8])));
});

const description = JSON.parse(readFileSync(join(checkout, 'docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string }>>;
  components: { schemas: Record<string, unknown> };
};

test('no schema is named as a generator names something of an operation', () => {
  const { paths, components } = description;
  const operations = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId.toLowerCase()),
  );
  const suffix =
    /(json)?(request|response|params|body|data|result|input|output|args|query|errors?)(s|body|object)?$/;
  const taken = Object.keys(components.schemas).filter((name) => {
    const plain = name.toLowerCase();
    return operations.includes(plain) || operations.includes(plain.replace(suffix, ''));
  });
  assert.deepEqual(taken, []);
});

test('no schema has only null, a constant that is no text, or a union with a default or in a union, which openapi-generator gets wrong in Java', () => {
  const found: string[] = [];
  const look = (schema: unknown, path: readonly string[]): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { type, enum: values, anyOf, default: standard } = schema as Record<string, unknown>;
    const isOneOf = path.at(-2) === 'anyOf';
    const isWrong =
      (type === 'null' && !isOneOf) ||
      (Array.isArray(values) && values.some((value) => typeof value !== 'string')) ||
      (anyOf !== undefined && (standard !== undefined || isOneOf));
    if (isWrong) found.push(path.join('/'));
    for (const [name, part] of Object.entries(schema))
      if (!['example', 'examples'].includes(name)) look(part, [...path, name]);
  };
  look(description.components.schemas, []);
  look(description.paths, []);
  assert.deepEqual(found, []);
});
