// Runs after an installation. Plain JavaScript, because any Node from 20 on may be the one that npm runs it with.

import { existsSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledNode, isReady, problem, runInstead } from '../bin/own-node.js';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

if (isReady()) await buildDashboard();
else if (problem()) console.error(problem());
else {
  linkNode();
  runInstead(path('prepare.js'), []);
}

/** Puts the bundled Node on the path of npm's scripts. npm 11.19 does so itself, npm 10.8 leaves it out. */
function linkNode() {
  const link = path('../node_modules/.bin/node');
  const node = bundledNode();
  if (node && process.platform !== 'win32' && !existsSync(link))
    symlinkSync(relative(dirname(link), node), link);
}

async function buildDashboard() {
  // To npm, `npx embedgate` in a checkout is an installation: it would take the pages from a running service while they
  // are built.
  if (process.env.npm_command === 'exec') return;
  if (!canResolve('vite')) {
    console.error(
      'The dashboard is not built: that needs the development dependencies (npm ci without --omit=dev).',
    );
    return;
  }
  const { build } = await import('vite');
  await build({ configFile: path('vite.config.ts'), logLevel: 'warn' });
}

function canResolve(name) {
  try {
    createRequire(import.meta.url).resolve(`${name}/package.json`);
    return true;
  } catch {
    return false;
  }
}
