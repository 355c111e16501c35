import { readFileSync, writeFileSync } from 'node:fs';

// `npm pack` runs this. With the file that it writes, an installation from a registry has the versions and checksums of the
// lock file, and runs no install script: npm runs those of which the file knows. No dependency needs its own, and that of
// onnxruntime-node downloads CUDA libraries, which fails where their host can't be reached.

interface Locked {
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const packages = Object.entries<Locked>(lock.packages)
  .filter(([path, { dev, link }]) => !dev && !link && !path.startsWith('packages/'))
  .map(([path, { hasInstallScript: _, ...locked }]) => [path, locked]);
const { '': own, ...dependencies } = Object.fromEntries(packages);
const { devDependencies: _, workspaces: __, ...root } = own;
writeFileSync('npm-shrinkwrap.json', JSON.stringify({ ...lock, packages: { '': root, ...dependencies } }));
