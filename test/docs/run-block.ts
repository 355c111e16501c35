import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { temporaryDirectory } from '../helpers/directory.ts';
import type { RunningService } from '../helpers/service.ts';

type Program = readonly [command: string, ...args: string[]];

/** How blocks of a language are run: the program, whose last argument is the block. */
const programs: Readonly<Record<string, Program>> = {
  sh: ['bash', '-euo', 'pipefail', '-c'],
  js: [process.execPath, '--input-type=module', '-e'],
  python: ['python3', '-c'],
};

/** What else a block of a language needs on the machine. */
const tools: Readonly<Record<string, readonly string[]>> = { sh: ['curl', 'grep'] };

export const isRunnable = (language: string): boolean => language in programs;

/** The first program that a language needs and this machine lacks. */
export function missingProgram(language: string): string | undefined {
  const needed = [programs[language]?.[0] ?? '', ...(tools[language] ?? [])];
  return needed.find((name) => spawnSync(name, ['--version']).error);
}

/** The label under which a command prints an identifier → the identifier that all pages use as its example. */
const examples = {
  Organization: '01a19671-c1c0-7453-bb19-492ba816cd71',
  'Key id': '01a19672-ac20-7527-8bb1-6cefd3e9e3ee',
};

/** Where the blocks of a page keep the files of a job. */
const sharedFolder = '/tmp/corpus';
const inherited = ['PATH', 'HOME', 'TMPDIR'];
const timeoutMs = 200_000;

/** Runs the blocks of one page in order, as its reader would, against a new service. */
export class Reader implements Disposable {
  readonly #service: RunningService;
  /** The cache of `npx`, where an interrupted run leaves files that it can't use any more. */
  readonly #npmCache = temporaryDirectory();
  /** Stands for the folder that the blocks of a page share. */
  readonly #folder = temporaryDirectory();
  /** The example on the page → its value: the identifiers that were printed last, and the service's own key. */
  readonly #values: Map<string, string>;

  constructor(service: RunningService) {
    this.#service = service;
    this.#values = new Map([
      ['http://127.0.0.1:8080', service.address],
      ['sk_…', service.key],
      [examples.Organization, service.orgId],
      [sharedFolder, this.#folder.path],
    ]);
  }

  /** Runs a block in `folder` and returns what it printed to stdout. Throws with all its output when it failed. */
  async run(language: string, code: string, folder: string): Promise<string> {
    const [command, ...args] = programs[language] ?? [''];
    const child = spawn(command, [...args, this.#filledIn(code)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: folder,
      timeout: timeoutMs,
      env: {
        ...Object.fromEntries(inherited.map((name) => [name, process.env[name]])),
        ...this.#service.environment,
        npm_config_cache: this.#npmCache.path,
        npm_config_update_notifier: 'false',
        EMBEDGATE_KEY: this.#service.key,
      },
    });
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    if (status !== 0) throw new Error(`${command} ended with ${status}\n${stdout}\n${stderr}`);
    for (const [label, example] of Object.entries(examples)) {
      const [, id] = new RegExp(`^${label} +(\\S+)$`, 'm').exec(stdout) ?? [];
      if (id !== undefined) this.#values.set(example, id);
    }
    return stdout.replaceAll(this.#folder.path, sharedFolder);
  }

  [Symbol.dispose](): void {
    this.#npmCache[Symbol.dispose]();
    this.#folder[Symbol.dispose]();
  }

  #filledIn(code: string): string {
    return [...this.#values].reduce((text, [example, value]) => text.replaceAll(example, value), code);
  }
}
