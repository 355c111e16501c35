import { readFileSync, writeFileSync } from 'node:fs';
import { readConfig } from '../../src/config/config.ts';
import { openServices } from '../../src/service/services.ts';
import { temporaryDirectory } from '../../test/helpers/directory.ts';
import { type ApiDescription, routesPage } from '../routes-page.ts';
import { describeApi } from './describe-api.ts';

// Compares docs/openapi.json, which the service serves, and docs/routes.md with the schemas of the routes. With --write
// it writes them.

using directory = temporaryDirectory();
const services = await openServices(readConfig({ DATA_DIR: directory.path, EMBEDDING_WORKERS: '1' }));
const document = await describeApi(services);
await services.close();
const files: Readonly<Record<string, string>> = {
  'openapi.json': `${JSON.stringify(document, null, 2)}\n`,
  'routes.md': routesPage(document as ApiDescription),
};

for (const [name, current] of Object.entries(files)) {
  const file = new URL(`../../docs/${name}`, import.meta.url);
  if (process.argv.includes('--write')) {
    writeFileSync(file, current);
  } else if (readFileSync(file, 'utf8') !== current) {
    console.error(
      `docs/${name} differs from the schemas of the routes: run "npm run openapi" and look at the difference`,
    );
    process.exitCode = 1;
  }
}
