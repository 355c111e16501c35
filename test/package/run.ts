import { fileURLToPath } from 'node:url';
import { runFiles } from '../helpers/run-files.ts';

// `npm run test:package`: packs, installs and uses the npm package. It needs a package registry, so `npm test` leaves
// it out.

runFiles([fileURLToPath(new URL('package-checks.ts', import.meta.url))]);
