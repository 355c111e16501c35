import { Agent, request } from 'node:http';
import { spawnEmbedgate } from '../helpers/embedgate.ts';
import type { RunningService } from '../helpers/service.ts';

/** Only for a service that hangs. */
const deadlineMs = 120_000;

/** Another organization's client, which sends new short texts in sequence, on a connection of its own. */
export class Witness {
  readonly failures: string[] = [];
  isDone = false;
  readonly #latenciesMs: number[] = [];
  readonly #address: string;
  readonly #key: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #count = 0;

  private constructor(address: string, key: string) {
    this.#address = address;
    this.#key = key;
  }

  /** Creates the organization and its key by the command line, while the service runs. */
  static async of({ address, environment }: RunningService): Promise<Witness> {
    const run = async <R>(...args: string[]): Promise<R> => {
      const child = spawnEmbedgate([...args, '--json'], environment);
      const { code } = await child.exited;
      if (code !== 0) throw new Error(child.stderr());
      return JSON.parse(child.stdout()) as R;
    };
    const { org_id: orgId } = await run<{ org_id: string }>(
      'orgs',
      'create',
      '--name',
      'Witness',
      '--tier',
      'scale',
    );
    const { key } = await run<{ key: string }>(
      'keys',
      'create',
      '--user-id',
      'witness',
      '--org-id',
      orgId,
      '--name',
      'witness',
    );
    return new Witness(address, key);
  }

  get p99Ms(): number {
    const ascending = this.#latenciesMs.toSorted((a, b) => a - b);
    return ascending[Math.floor((ascending.length - 1) * 0.99)] ?? 0;
  }

  /** Forgets earlier measurements, and sends `count` texts. */
  async work(count: number): Promise<void> {
    this.isDone = false;
    this.#latenciesMs.length = 0;
    for (let i = 0; i < count; i++) {
      const beganMs = performance.now();
      const status = await this.#ask(`what a witness asks, number ${this.#count++}`).catch(String);
      this.#latenciesMs.push(performance.now() - beganMs);
      if (status !== 200) this.failures.push(String(status));
    }
    this.isDone = true;
  }

  #ask(input: string): Promise<number> {
    const body = JSON.stringify({ input });
    return new Promise((resolve, reject) => {
      const asked = request(
        `${this.#address}/v1/embeddings`,
        {
          method: 'POST',
          agent: this.#agent,
          headers: {
            authorization: `Bearer ${this.#key}`,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          },
          signal: AbortSignal.timeout(deadlineMs),
        },
        (response) => {
          response.resume();
          response.on('end', () => resolve(response.statusCode ?? 0));
          response.on('error', reject);
        },
      );
      asked.on('error', reject);
      asked.end(body);
    });
  }
}
