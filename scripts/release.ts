import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';

// `npm run release VERSION` raises the version in every place that states it, and dates the changelog. `npm run release --
// notes` prints the section of the present version, for the release. CONTRIBUTING has the steps of a release.

const root = new URL('..', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const { version: present, workspaces } = JSON.parse(read('package.json'));
const [given = ''] = process.argv.slice(2);

if (given === 'notes') console.log(section(present));
else if (/^\d+\.\d+\.\d+(-rc\.\d+)?$/.test(given)) raise(given);
else fail(`"${given}" is no version such as 1.1.0 or 1.1.0-rc.1, and not notes`);

function raise(version: string): void {
  const title = `## ${version.replace(/-.*/, '')} - unreleased`;
  if (!read('CHANGELOG.md').includes(title)) fail(`CHANGELOG.md has no section "${title}"`);
  const manifests = workspaces.flatMap((folder: string) => globSync(`${folder}/package.json`, { cwd: root }));
  for (const path of ['package.json', ...manifests])
    replace(path, `"version": "${present}"`, `"version": "${version}"`);
  const lock = JSON.parse(read('package-lock.json'));
  for (const [path, entry] of Object.entries<{ version: string; link?: boolean }>(lock.packages))
    if (!path.includes('node_modules/') && !entry.link) entry.version = version;
  write('package-lock.json', `${JSON.stringify({ ...lock, version }, null, 2)}\n`);
  replace('deploy/helm/Chart.yaml', `version: ${present}`, `version: ${version}`);
  replace('deploy/helm/Chart.yaml', `appVersion: ${present}`, `appVersion: ${version}`);
  replace('docs/deploy.md', `tag: "${present}"`, `tag: "${version}"`);
  replace('CONTRIBUTING.md', `embedgate-${present}.tgz`, `embedgate-${version}.tgz`);
  const today = new Date().toISOString().slice(0, 10);
  // A candidate is followed by others.
  if (!version.includes('-')) replace('CHANGELOG.md', title, title.replace('unreleased', today));
  execFileSync('npm', ['run', '--silent', 'openapi'], { cwd: root, stdio: 'inherit' });
  console.log(`The version is ${version} everywhere.`);
}

/** Returns the text of a version's section in the changelog. */
function section(version: string): string {
  const [, text] = read('CHANGELOG.md').split(new RegExp(`^## ${version.replace(/-.*/, '')} - .*$`, 'm'));
  if (text === undefined) fail(`CHANGELOG.md has no section for ${version}`);
  return text.split(/^## /m, 1)[0]!.trim();
}

function replace(path: string, from: string, to: string): void {
  const text = read(path);
  if (!text.includes(from)) fail(`${path} does not contain ${from}`);
  write(path, text.replace(from, to));
}

function write(path: string, text: string): void {
  writeFileSync(new URL(path, root), text);
}

function fail(fault: string): never {
  console.error(fault);
  process.exit(1);
}
