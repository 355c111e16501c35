import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The workflow for releases runs this before it builds. It puts the dashboard's files of the last published release where
// the build takes them from, so that a page that was opened before an upgrade goes on. Their names have hashes, so none are alike.

const root = fileURLToPath(new URL('..', import.meta.url));
const npm = (...args: string[]): string => execFileSync('npm', args, { cwd: root, encoding: 'utf8' }).trim();

function isPublished(): boolean {
  try {
    return npm('view', 'embedgate', 'version') !== '';
  } catch (reason) {
    if (String((reason as { stderr?: string }).stderr).includes('E404')) return false;
    throw reason;
  }
}

if (isPublished()) {
  const directory = mkdtempSync(join(tmpdir(), 'embedgate-'));
  const archive = npm('pack', 'embedgate@latest', '--silent', '--pack-destination', directory);
  execFileSync('tar', ['-xzf', join(directory, archive), '-C', directory]);
  cpSync(join(directory, 'package/web/dist/assets'), join(root, 'web/public/earlier'), { recursive: true });
  rmSync(directory, { recursive: true });
} else {
  console.log('No release is published yet.');
}
