import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runFiles } from '../../helpers/run-files.ts';
import { programs } from './programs.ts';

// `npm run test:clients:languages -- go rust` runs the clients for these languages, or for all. With --write it writes
// what their users get into docs/clients.md; otherwise it compares.

const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
process.env.LANGUAGES = (positionals.length > 0 ? positionals : Object.keys(programs)).join(',');
if (values.write) process.env.WRITE = '1';
runFiles([fileURLToPath(new URL('languages-checks.ts', import.meta.url))], { timeoutMs: 3_600_000 });
