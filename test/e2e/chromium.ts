import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const candidates = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser'];
const executablePath = candidates.find((path) => path !== undefined && existsSync(path));

/** Why the browser's tests can't run here; false where they can. */
export const withoutBrowser: string | false = executablePath
  ? false
  : 'no Chromium: install the package chromium, or name one by CHROMIUM_PATH';

export function launchBrowser(): Promise<Browser> {
  if (!executablePath) throw new Error(String(withoutBrowser));
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}
