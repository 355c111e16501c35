// Builds the dashboard after an installation, where what builds it was installed too.

import { findPackageJSON } from 'node:module';

if (canResolve('vite')) {
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
