import { extname } from 'node:path';

/**
 * Returns the URL of a thread's program beside the module `moduleUrl`. The program's file ends as the module's does: `.ts` in
 * a checkout, `.js` in the npm package.
 */
export function programBeside(moduleUrl: string, name: string): URL {
  return new URL(`${name}${extname(moduleUrl)}`, moduleUrl);
}
