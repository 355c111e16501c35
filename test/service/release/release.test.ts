import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../../helpers/directory.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

test('one command raises the version in every place, which its checks accept, and prints the notes of the release', () => {
  using directory = temporaryDirectory();
  const at = (path: string) => join(directory.path, path);
  cpSync(root, directory.path, {
    recursive: true,
    filter: (path) => !/[/\\](node_modules|\.git|dist|build|screenshots|model)$/.test(path),
  });
  for (const path of ['node_modules', 'checks/node_modules', 'packages/builtin-model/model'])
    symlinkSync(join(root, path), at(path));
  const read = (path: string) => readFileSync(at(path), 'utf8');
  const run = (...args: string[]) =>
    execFileSync(process.execPath, args, { cwd: directory.path, encoding: 'utf8' });

  const { version: before } = JSON.parse(read('package.json'));
  const changelog = read('CHANGELOG.md').replace(
    /^## /m,
    '## 7.8.9 - unreleased\n\n- **Later.** A change.\n\n## ',
  );
  writeFileSync(at('CHANGELOG.md'), changelog);
  run('scripts/release.ts', '7.8.9');

  const lock = JSON.parse(read('package-lock.json'));
  const manifests = ['package.json', ...globSync('{web,packages/*}/package.json', { cwd: directory.path })];
  for (const path of manifests) {
    assert.equal(JSON.parse(read(path)).version, '7.8.9', path);
    const folder = path.replace(/\/?package\.json$/, '');
    assert.equal(lock.packages[folder].version, '7.8.9', folder);
  }
  assert.match(read('deploy/helm/Chart.yaml'), /^version: 7\.8\.9\nappVersion: 7\.8\.9$/m);
  for (const path of ['docs/deploy.md', 'CONTRIBUTING.md', 'docs/openapi.json']) {
    assert.ok(read(path).includes('7.8.9'), path);
    assert.ok(!read(path).includes(`"${before}"`) && !read(path).includes(`-${before}.tgz`), path);
  }
  run('checks/openapi/run.ts');
  assert.match(read('CHANGELOG.md'), /^## 7\.8\.9 - \d{4}-\d\d-\d\d$/m);
  assert.equal(run('scripts/release.ts', 'notes').trim(), '- **Later.** A change.');
});
