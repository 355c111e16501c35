import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runFiles } from '../helpers/run-files.ts';
import { programs } from './programs.ts';

// `npm run test:clients -- node go` runs the clients for these languages, or for all, and with `node` the blocks of the
// documentation that import its packages. It compares what the users of the clients get with the table in
// docs/clients.md, or with --write writes that table. `rerank` runs clients that rerank, and
// `bulk` what reads the files of `embedgate embed`, `s3` the service with a bucket of moto's server, and `generated`
// clients that are generated from docs/openapi.json.
/** What has checks of its own instead of the cases of programs.ts. */
const apart = ['rerank', 'bulk', 's3', 'generated'];

const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const wanted = positionals.length > 0 ? positionals : [...Object.keys(programs), ...apart];
const languages = wanted.filter((name) => !apart.includes(name));
process.env.LANGUAGES = languages.join(',');
if (values.write) process.env.WRITE = '1';
const files = [
  ...(languages.length > 0 ? ['clients-checks.ts'] : []),
  ...(languages.some((name) => ['node', 'python'].includes(name)) ? ['batches-checks.ts'] : []),
  ...apart.filter((name) => wanted.includes(name)).map((name) => `${name}-checks.ts`),
];
runFiles(
  files.map((file) => fileURLToPath(new URL(file, import.meta.url))),
  { timeoutMs: 3_600_000 },
);
