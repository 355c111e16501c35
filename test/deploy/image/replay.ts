import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BuildContext } from './build-context.ts';
import { parseDockerfile, type Stage, type Step } from './dockerfile.ts';
import { Root } from './root.ts';

export interface Image extends Disposable {
  readonly root: Root;
  readonly stage: Stage;
  /** What the last stage adds to its base image. */
  readonly sizeBytes: number;
}

/** What npm needs to reach the registry, as on the machine itself. */
const inherited = [
  'NODE_EXTRA_CA_CERTS',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
];
const npmSettings = ['registry', 'cafile', 'cache'];

/** Executes a Dockerfile's steps without a container engine. */
export function replay(directory: string): Image {
  const context = new BuildContext(directory, readFileSync(join(directory, '.dockerignore'), 'utf8'));
  const stages = parseDockerfile(readFileSync(join(directory, 'Dockerfile'), 'utf8'));
  using opened = new DisposableStack();
  const roots = new Map<string, Root>();
  for (const stage of stages) {
    const root = opened.use(new Root());
    let workdir = '/';
    for (const step of stage.steps)
      workdir = carryOut(step, { root, roots, context, workdir, env: stage.env });
    roots.set(stage.name, root);
  }
  const stage = stages.at(-1)!;
  const root = roots.get(stage.name)!;
  const kept = opened.move();
  return {
    ...{ root, stage },
    sizeBytes: sizeOf(root.directory) - sizeOf(join(root.directory, 'local')),
    [Symbol.dispose]: () => kept.dispose(),
  };
}

type Where = {
  root: Root;
  roots: ReadonlyMap<string, Root>;
  context: BuildContext;
  workdir: string;
  env: Readonly<Record<string, string>>;
};

/** Returns the working directory of the next step. */
function carryOut(step: Step, { root, roots, context, workdir, env }: Where): string {
  if (step.do === 'workdir') {
    const path = resolve(workdir, step.path);
    mkdirSync(join(root.directory, path), { recursive: true });
    return path;
  }
  if (step.do === 'run') {
    const settings = npmEnvironment();
    const cache = settings.npm_config_cache;
    root.run(['/bin/sh', '-c', step.command], {
      env: { ...env, ...settings, HOME: '/tmp' },
      workdir,
      mounts: cache ? [cache] : [],
    });
    return workdir;
  }
  const to = join(root.directory, resolve(workdir, step.to)) + (step.to.endsWith('/') ? '/' : '');
  for (const source of step.sources) {
    if (step.from === undefined) context.copy(source, to);
    else {
      const from = join(roots.get(step.from)!.directory, source);
      cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    }
  }
  return workdir;
}

function npmEnvironment(): Record<string, string> {
  const given = inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  const { stdout } = spawnSync('npm', ['config', 'get', ...npmSettings], { encoding: 'utf8' });
  const settings = stdout
    .split('\n')
    .map((line) => line.split('=', 2))
    .filter(([name, value]) => npmSettings.includes(name ?? '') && value && value !== 'null')
    .map(([name, value]) => [`npm_config_${name}`, value]);
  return Object.fromEntries([...given, ...settings]);
}

/** As `du` counts: a file with several names once. */
function sizeOf(directory: string): number {
  if (!statSync(directory, { throwIfNoEntry: false })) return 0;
  const { stdout } = spawnSync('du', ['--summarize', '--bytes', '--one-file-system', directory], {
    encoding: 'utf8',
  });
  return Number(stdout.split('\t')[0]);
}
