import { fileURLToPath } from 'node:url';
import { runFiles } from '../helpers/run-files.ts';

// `npm run test:arm64`: packs the npm package, installs it for ARM64 and runs it under QEMU. It takes about ten minutes and
// needs a package registry, so `npm test` leaves it out.

runFiles([fileURLToPath(new URL('arm64-checks.ts', import.meta.url))], { timeoutMs: 1_800_000 });
