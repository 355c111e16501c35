import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { checkout, type Page, pages } from '../../docs/markdown.ts';

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
      if (anchor !== undefined) {
        assert.ok(anchorsByPath.get(found)?.has(anchor), `${path}: ${target} has no such heading`);
      }
    }
  }
  assert.ok(links > 20, `${links} links`);
});

test('decision records are numbered from 1 without gaps, state their status, and are listed in order', () => {
  const records = pages().filter(({ path }) => /^docs\/adr\/\d/.test(path));
  const index = pages().find(({ path }) => path === 'docs/adr/README.md')!;
  const listed = [...index.prose.matchAll(/^(\d+)\. \[.+\]\(([^)]+)\)/gm)].map(([, number, file]) => [
    number,
    file,
  ]);
  assert.ok(records.length > 30);
  const found = records.map(({ path, prose }, i) => {
    const number = String(i + 1);
    assert.ok(path.startsWith(`docs/adr/${number.padStart(4, '0')}-`), path);
    assert.match(prose, new RegExp(`^# ${number}\\. .+\n\nStatus: (accepted|superseded by)\\b`), path);
    return [number, path.slice('docs/adr/'.length)];
  });
  assert.deepEqual(listed, found);
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
