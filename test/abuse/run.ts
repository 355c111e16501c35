import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runFiles } from '../helpers/run-files.ts';

// `npm run test:abuse`: hostile requests, sockets, floods, texts and command lines, against services of
// their own on 127.0.0.1. It takes about half an hour; with --short, some minutes, as in CI.
// Further arguments pick files whose name contains one of them. --seed repeats a run.

const { values, positionals } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1e6) },
  },
  allowPositionals: true,
});
process.env.ABUSE_SHORT = values.short ? '1' : '';
process.env.ABUSE_SEED = values.seed;
console.log(`seed ${values.seed}`);
const names = ['requests', 'sockets', 'people', 'texts', 'command-line'];
const chosen = names.filter(
  (name) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
);
// In sequence, because each checks how its service copes.
runFiles(
  chosen.map((name) => fileURLToPath(new URL(`${name}-checks.ts`, import.meta.url))),
  { concurrency: 1, timeoutMs: 3_600_000 },
);
