// Builds the dashboard after an installation, where what builds it was installed too.

import { findPackageJSON } from 'node:module';

// To npm, `npx embedgate` in a checkout is an installation: it would take the pages from a running service while they are built.
const isNpx = process.env.npm_command === 'exec';

if (isNpx) {
  // What the installation before it has built stays.
} else if (canResolve('vite')) {
  const { build } = await import('vite');
  await build({ configFile: new URL('vite.config.ts', import.meta.url).pathname, logLevel: 'warn' });
} else {
  console.error(
    'The dashboard is not built: that needs the development dependencies (npm ci without --omit=dev).',
  );
}

function canResolve(name) {
  try {
    return findPackageJSON(name, import.meta.url) !== undefined;
  } catch {
    return false;
  }
}
