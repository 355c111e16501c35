import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import packageJson from '../package.json' with { type: 'json' };

// `npm run check`: every script of package.json whose name starts with `check:`. All of them run, and each reports.

const atATime = 2;
const timeoutMs = 300_000;
const waiting = Object.keys(packageJson.scripts).filter((name) => name.startsWith('check:'));
const failed: string[] = [];

async function check(name: string): Promise<void> {
  const child = spawn('npm', ['run', '--silent', name], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    shell: process.platform === 'win32',
  });
  const [out, error, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (status !== 0) failed.push(name);
  console.log(`${status === 0 ? 'passed' : 'FAILED'}  ${name}`);
  if (status !== 0) console.log(`${out}${error}`);
  else if (out) console.log(out.trimEnd().replaceAll(/^/gm, '        '));
}

async function checkNext(): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await check(name);
}

await Promise.all(Array.from({ length: atATime }, checkNext));
if (failed.length > 0) {
  console.log(
    `${failed.length} failed: ${failed.join(', ')}. "npm run format" fixes what can be fixed automatically.`,
  );
  process.exitCode = 1;
}
