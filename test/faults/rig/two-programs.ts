import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { type Environment, embedgateJson } from '../../helpers/embedgate.ts';
import { FastClient } from '../../helpers/fast-client.ts';
import { writeOlderProgram } from '../../helpers/older-program.ts';
import { startPostgres } from '../../helpers/postgres.ts';
import { newPem } from '../../helpers/replicas.ts';
import { type RunningService, startService } from '../../helpers/service.ts';

export type CreatedKey = { readonly key: string; readonly key_id: string };

/**
 * An older program that serves on a Postgres with a schema of its own version, and what today's program needs
 * to join it.
 */
export class TwoPrograms implements AsyncDisposable {
  readonly environment: Environment;
  /** The command of the older program. */
  readonly program: string;
  readonly older: RunningService;
  readonly #running: AsyncDisposableStack;

  private constructor(
    parts: Pick<TwoPrograms, 'environment' | 'program' | 'older'>,
    running: AsyncDisposableStack,
  ) {
    this.environment = parts.environment;
    this.program = parts.program;
    this.older = parts.older;
    this.#running = running;
  }

  static async open(): Promise<TwoPrograms> {
    await using opened = new AsyncDisposableStack();
    const directory = (): string => opened.adopt(temporaryDirectory(), (it) => it[Symbol.dispose]()).path;
    const program = olderProgram(directory());
    const postgres = opened.use(await startPostgres({ durable: true }));
    const keyFile = join(directory(), 'signing-key.pem');
    writeFileSync(keyFile, newPem(), { mode: 0o600 });
    const environment = {
      DATABASE_URL: await postgres.createDatabase(),
      SIGNING_KEY: keyFile,
      AUTH_SECRET: randomBytes(32).toString('hex'),
    };
    const older = opened.use(await startService({ environment, program }));
    return new TwoPrograms({ environment, program, older }, opened.move());
  }

  async startNewer(): Promise<RunningService> {
    return this.#running.use(await startService({ environment: this.environment }));
  }

  /** Created by today's command, or by another. */
  async organizationOf(requests: number, by?: string): Promise<string> {
    const limit = ['--tier', 'enterprise', '--limit', String(requests)];
    const args = ['orgs', 'create', '--name', 'shared', ...limit];
    return (await embedgateJson<{ org_id: string }>(args, this.environment, by)).org_id;
  }

  keyOf(orgId: string, by?: string): Promise<CreatedKey> {
    const args = ['keys', 'create', '--org-id', orgId, '--user-id', 'u', '--name', 'k'];
    return embedgateJson(args, this.environment, by);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running.disposeAsync();
  }
}

/** What is used, and the sum of the month's days. */
export async function usedOn(address: string, key: string): Promise<[number, number]> {
  using client = new FastClient();
  const { body } = await client.get(`${address}/v1/usage`, key);
  const { used, totals } = JSON.parse(body) as { used: number; totals: { counted: number } };
  return [used, totals.counted];
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Undefined as long as there is none: this commit takes its place. */
const released = lastRelease();
const commit = released ?? 'HEAD';

function lastRelease(): string | undefined {
  const describe = ['describe', '--tags', '--abbrev=0', '--match', 'v*'];
  const { status, stdout } = spawnSync('git', describe, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** The reason why the older program is not available, or false. */
export function missingOlderProgram(): string | false {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' });
    return false;
  } catch {
    return `this is no clone of the repository`;
  }
}

/** Installs the last release with its own packages, or takes this commit, and returns the path of its command. */
function olderProgram(directory: string): string {
  if (released === undefined) return writeOlderProgram(directory, commit);
  const quietly = ['--no-audit', '--no-fund'];
  const install = ['install', '--prefix', directory, ...quietly, `embedgate@${released.slice(1)}`];
  execFileSync('npm', install, { stdio: 'inherit' });
  return join(directory, 'node_modules/embedgate/bin/embedgate.js');
}
