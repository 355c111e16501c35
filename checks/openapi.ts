import { readFileSync, writeFileSync } from 'node:fs';
import { startThrowAwayService } from '../src/cli/demo/throw-away-service.ts';
import { type ApiDescription, routesPage } from './routes-page.ts';

// Compares docs/openapi.json and docs/routes.md with what the application describes at /openapi.json. With --write it writes them.

await using service = await startThrowAwayService();
const response = await fetch(`${service.address}/openapi.json`);
const document = (await response.json()) as ApiDescription;
const files: Readonly<Record<string, string>> = {
  'openapi.json': `${JSON.stringify(document, null, 2)}\n`,
  'routes.md': routesPage(document),
};

for (const [name, current] of Object.entries(files)) {
  const file = new URL(`../docs/${name}`, import.meta.url);
  if (process.argv.includes('--write')) {
    writeFileSync(file, current);
  } else if (readFileSync(file, 'utf8') !== current) {
    console.error(
      `docs/${name} differs from the application: run "npm run openapi" and look at the difference`,
    );
    process.exitCode = 1;
  }
}
