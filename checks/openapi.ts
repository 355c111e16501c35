import { readFileSync, writeFileSync } from 'node:fs';
import { startThrowAwayService } from '../src/cli/demo/throw-away-service.ts';

// docs/openapi.json is what the application answers at /openapi.json: with --write it is put there, else compared.

const file = new URL('../docs/openapi.json', import.meta.url);

await using service = await startThrowAwayService();
const response = await fetch(`${service.address}/openapi.json`);
const current = `${JSON.stringify(await response.json(), null, 2)}\n`;

if (process.argv.includes('--write')) {
  writeFileSync(file, current);
} else if (readFileSync(file, 'utf8') !== current) {
  console.error(
    'docs/openapi.json is not what the application answers: run "npm run openapi" and look at the difference',
  );
  process.exitCode = 1;
}
