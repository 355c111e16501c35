// Runs after an installation: builds the dashboard, where the packages that build it were installed too.

import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { problem } from '../bin/own-node.js';

// To npm, `npx embedgate` in a checkout is an installation: it would take the pages from a running service while they are built.
const isNpx = process.env.npm_command === 'exec';

if (isNpx) {
  // The pages that the installation before it has built stay.
} else if (canResolve('vite')) {
  const { build } = await import('vite');
  await build({
    configFile: fileURLToPath(new URL('vite.config.ts', import.meta.url)),
    logLevel: 'warn',
  });
} else {
  console.error(
    'The dashboard is not built: that needs the development dependencies (npm ci without --omit=dev).',
  );
}
if (problem()) console.error(problem());

function canResolve(name) {
  try {
    createRequire(import.meta.url).resolve(`${name}/package.json`);
    return true;
  } catch {
    return false;
  }
}
