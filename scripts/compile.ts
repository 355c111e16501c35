import { spawnSync } from 'node:child_process';
import { cpSync, globSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

// `npm pack` runs this. Node does not strip types below node_modules, so the package contains JavaScript.

const checkout = fileURLToPath(new URL('..', import.meta.url));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

// One that was interrupted has left it, and npm would read it in place of the lock file.
rmSync(`${checkout}/npm-shrinkwrap.json`, { force: true });
rmSync(`${checkout}/dist`, { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.package.json'], {
  cwd: checkout,
  // npm keeps stdout for itself: `npm pack --json` prints one document there.
  stdio: ['ignore', process.stderr, process.stderr],
});
for (const file of globSync('src/**/*.sql', { cwd: checkout })) {
  cpSync(`${checkout}/${file}`, `${checkout}/dist/${file}`);
}
// Of this machine at least, and of all that `build.js --all` has built: it leaves none of other sources.
for (const encoder of globSync('packages/encoder-native/build/*.node', { cwd: checkout }))
  cpSync(`${checkout}/${encoder}`, `${checkout}/dist/${encoder}`);
cpSync(`${checkout}/packages/builtin-model/model`, `${checkout}/dist/packages/builtin-model/model`, {
  recursive: true,
});
process.exitCode = status ?? 1;
