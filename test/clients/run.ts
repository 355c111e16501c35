import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runFiles } from '../helpers/run-files.ts';
import { programs } from './programs.ts';

// `npm run test:clients -- node go` runs the clients for these languages, or for all, and with `node` the blocks of the
// documentation that import its packages. It compares what the users of the clients get with the table in
// docs/clients.md, or with --write writes that table.

const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
process.env.LANGUAGES = (positionals.length > 0 ? positionals : Object.keys(programs)).join(',');
if (values.write) process.env.WRITE = '1';
runFiles([fileURLToPath(new URL('clients-checks.ts', import.meta.url))], { timeoutMs: 3_600_000 });
