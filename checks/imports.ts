import { fileURLToPath } from 'node:url';
import { cruiseImports } from './cruise.ts';

const { seen, unseen, violations } = await cruiseImports(fileURLToPath(new URL('..', import.meta.url)));
for (const violation of violations) console.error(violation);
for (const file of unseen) console.error(`not looked at: ${file}`);
if (violations.length > 0 || unseen.length > 0 || seen.length === 0) process.exitCode = 1;
else console.log(`${seen.length} modules import one way`);
