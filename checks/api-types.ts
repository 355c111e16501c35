import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

// Compares web/src/api/schema.ts with the types made from docs/openapi.json, or writes it with --write.

const description = new URL('../docs/openapi.json', import.meta.url);
const file = new URL('../web/src/api/schema.ts', import.meta.url);

const current = `// Made by \`npm run api-types\` from docs/openapi.json.\n\n${astToString(await openapiTS(description, { defaultNonNullable: false }))}`;

if (process.argv.includes('--write')) {
  writeFileSync(file, current);
} else if (readFileSync(file, 'utf8') !== current) {
  console.error('web/src/api/schema.ts is not what docs/openapi.json says: run "npm run api-types"');
  process.exitCode = 1;
}
