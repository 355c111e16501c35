import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Takes the description of the API away, as in a damaged installation.
const { readFileSync } = fs;
fs.readFileSync = (path, ...args) => {
  if (String(path).endsWith('docs/openapi.json')) throw new Error('no such file: openapi.json');
  return readFileSync(path, ...args);
};
syncBuiltinESMExports();
