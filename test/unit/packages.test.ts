import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

type Dependencies = Readonly<Record<string, string>>;
const dependenciesIn = (path: string): Dependencies =>
  JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')).dependencies ?? {};

test('a package pins each library to the version that the npm package installs', () => {
  const installed = dependenciesIn('package.json');
  const pinned = readdirSync(new URL('../../packages', import.meta.url)).flatMap((name) =>
    Object.entries(dependenciesIn(`packages/${name}/package.json`)),
  );
  const shared = pinned.filter(([name]) => name in installed);
  assert.ok(shared.length > 3);
  for (const [name, version] of shared) assert.equal(version, installed[name], name);
});
