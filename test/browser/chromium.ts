import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome'];
const onPath = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((directory) => names.map((name) => join(directory, name)));
const executablePath = [process.env.CHROMIUM_PATH ?? '', ...onPath].find((path) => existsSync(path));

/** The reason why the browser's tests can't run here, or false. */
export const withoutBrowser: string | false = executablePath
  ? false
  : 'no Chromium: install the package chromium, or name one by CHROMIUM_PATH';

/** `args`: further arguments of its command line. */
export function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  if (!executablePath) throw new Error(String(withoutBrowser));
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', ...args],
  });
}
