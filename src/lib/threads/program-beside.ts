import { extname } from 'node:path';

/**
 * Returns the URL of a thread's program in the same directory as the module `moduleUrl`. Its file has the module's
 * extension: `.ts` in a checkout, `.js` in the npm package.
 */
export function programBeside(moduleUrl: string, name: string): URL {
  return new URL(`${name}${extname(moduleUrl)}`, moduleUrl);
}
