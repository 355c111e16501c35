import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../helpers/directory.ts';
import { Checkout } from './checkout.ts';
import { type Combination, describe, full, short } from './combinations.ts';
import { Tools } from './tools.ts';
import { tryInstalling } from './try.ts';

// `npm run test:install`: the README's commands with other versions of npm and Node, as other users and in
// other places. It needs a package registry, a gigabyte of disk space and half an hour. With --short, it
// tries what CI tries. Further arguments pick combinations whose description contains one of them.

const args = process.argv.slice(2);
const wanted = args.filter((arg) => !arg.startsWith('--'));
const combinations = (args.includes('--short') ? short : full).filter(
  (combination) => wanted.length === 0 || wanted.some((part) => describe(combination).includes(part)),
);

using directory = temporaryDirectory();
chmodSync(directory.path, 0o755);
const tools = new Tools(join(directory.path, 'tools'));
const npmCache = process.env.npm_config_cache ?? join(directory.path, 'npm-cache');
let passed = 0;
let failed = 0;

for (const [i, combination] of combinations.entries()) {
  const name = describe(combination);
  if (combination.otherUser && process.getuid?.() !== 0) {
    console.log(`skipped  ${name}: only root can become another user`);
    continue;
  }
  const startMs = performance.now();
  const problem = await problemOf(combination, join(directory.path, String(i)));
  const seconds = Math.round((performance.now() - startMs) / 1_000);
  console.log(`${problem === undefined ? 'passed ' : 'FAILED '}  ${name}  (${seconds} s)`);
  if (problem === undefined) passed += 1;
  else {
    failed += 1;
    console.log(problem.replace(/^/gm, '         '));
  }
}
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0 || passed === 0) process.exitCode = 1;

async function problemOf(combination: Combination, path: string): Promise<string | undefined> {
  try {
    mkdirSync(path);
    const toolsPath = await tools.path(combination.node, combination.npm);
    using checkout = new Checkout(path, combination, toolsPath, npmCache);
    await tryInstalling(checkout, combination);
    return undefined;
  } catch (reason) {
    return reason instanceof Error ? reason.message : String(reason);
  }
}
