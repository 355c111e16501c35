// Plain JavaScript, so that every Node from 20 on can read it.

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import path from 'node:path';

/**
 * The options that Embedgate always runs with. docs/adr/0021-bounded-young-generation.md explains the first. The second keeps
 * a log rotation's SIGUSR1 from opening a debugger.
 */
const options = ['--max-semi-space-size=16', '--disable-sigusr1'];
const requiredMajor = 24;

const isNewEnough = () => Number.parseInt(process.versions.node, 10) >= requiredMajor;

/** Whether `node --watch` started this process, which must then stay the process that it watches. */
const isWatched = () => process.env.WATCH_REPORT_DEPENDENCIES !== undefined;
const hasOptions = () => options.every((option) => process.execArgv.includes(option));

/** Whether this process can run Embedgate: its Node is new enough, and has the options. */
export const isReady = () => isNewEnough() && (hasOptions() || isWatched());

/** Returns the path of the Node that is installed with Embedgate, or undefined if there is none for this platform. */
export function bundledNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  try {
    const packageJson = createRequire(import.meta.url).resolve(
      `node-${platform}-${process.arch}/package.json`,
    );
    return path.join(path.dirname(packageJson), 'bin', platform === 'win' ? 'node.exe' : 'node');
  } catch {
    return undefined;
  }
}

/** Returns the path of the Node to run with, or undefined if none is new enough. */
const usableNode = () => bundledNode() ?? (isNewEnough() ? process.execPath : undefined);

/** Explains why no Node can be used, or returns undefined when there is one. */
export function problem() {
  if (usableNode()) return undefined;
  return `Embedgate needs Node ${requiredMajor}, and this is ${process.versions.node}. No Node was installed with Embedgate: there is none for ${process.platform} on ${process.arch}, or optional packages were left out. Install Node ${requiredMajor} and try again.`;
}

/**
 * Runs a program in place of this process, with the right Node and the options. Does not return on POSIX with Node ≥
 * 22.15.
 */
export function runInstead(program, args) {
  const node = usableNode();
  if (!node) {
    console.error(problem());
    process.exit(1);
  }
  const command = [...options, program, ...args];
  // The same process continues as the other program, so nothing has to be forwarded. It would lose a channel to its parent.
  if (process.execve && !process.send && process.platform !== 'win32')
    process.execve(node, [node, ...command], process.env);
  runAsChild(node, command);
}

function runAsChild(node, command) {
  const stdio = ['inherit', 'inherit', 'inherit', ...(process.send ? ['ipc'] : [])];
  const child = spawn(node, command, { stdio });
  // The console of Windows sends them to the child too, and `kill` would end it at once.
  if (process.platform === 'win32')
    for (const signal of ['SIGINT', 'SIGBREAK', 'SIGHUP']) process.on(signal, () => {});
  else
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'])
      process.on(signal, () => child.kill(signal));
  process.on('disconnect', () => child.disconnect());
  child.on('error', (reason) => {
    console.error(`Embedgate could not start ${node}: ${reason.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** Sends this process SIGTERM when its parent has ended, because nothing else could end it then. */
export function endWithParent() {
  const parent = process.ppid;
  const look = () => process.ppid !== parent && process.kill(process.pid, 'SIGTERM');
  setInterval(look, 1_000).unref();
}
