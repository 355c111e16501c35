/** What an upstream has to do right before a vector of it is served or cached. */
import { cosine, selfTestTexts } from '../self-test.ts';
import type { UpstreamSettings } from '../settings.ts';
import type { Endpoint, Trial } from './endpoint.ts';
import { InputRefused, UpstreamFailure } from './failures.ts';
import { type Encoding, requestFor } from './request.ts';

interface Expected {
  readonly dimensions: number;
  readonly encoding: Encoding;
}

/** Some servers compute in few bits, and differently from time to time. A neighbour's vector is much farther away. */
const minCosine = 0.99;
const aliveTimeoutMs = 5_000;

/** The trial of every address of one upstream. Each has to give the vectors of the first that has passed. */
export class UpstreamTrial implements Trial {
  readonly #settings: UpstreamSettings;
  readonly #expected: Expected;
  #reference: readonly Float32Array[] | undefined;

  constructor(settings: UpstreamSettings, expected: Expected) {
    this.#settings = settings;
    this.#expected = expected;
  }

  get model(): string {
    return this.#settings.name;
  }

  async pass(endpoint: Endpoint, signal: AbortSignal): Promise<void> {
    const alone: Float32Array[] = [];
    for (const text of selfTestTexts) alone.push(...(await this.#ask(endpoint, [text], signal)));
    const together =
      this.#settings.maxBatchTexts < selfTestTexts.length
        ? alone
        : await this.#ask(endpoint, selfTestTexts, signal);
    refuseUnless(endpoint, alone, together, 'gives a text another vector beside others than alone');
    this.#reference ??= alone;
    refuseUnless(endpoint, this.#reference, alone, 'gives other vectors than the addresses beside it');
  }

  async isAlive(endpoint: Endpoint, signal: AbortSignal): Promise<boolean> {
    const timeoutMs = Math.min(this.#settings.timeoutMs, aliveTimeoutMs);
    return this.#ask(endpoint, selfTestTexts.slice(0, 1), signal, timeoutMs).then(
      () => true,
      () => false,
    );
  }

  async #ask(
    endpoint: Endpoint,
    texts: readonly string[],
    signal: AbortSignal,
    timeoutMs = this.#settings.timeoutMs,
  ): Promise<readonly Float32Array[]> {
    const form = { ...this.#expected, timeoutMs, signal };
    return (await endpoint.ask(requestFor(texts, this.#settings, form))).vectors;
  }
}

/**
 * Puts each address on trial; in turn, so that the first is what the others are compared with. An address that is away, or refuses the key,
 * is tried again before it is used. Throws one line when one gives wrong vectors.
 */
export async function prove(endpoints: readonly Endpoint[], trial: UpstreamTrial): Promise<void> {
  const { signal } = new AbortController();
  for (const endpoint of endpoints) {
    endpoint.require(trial);
    await endpoint.prove(signal).catch((reason) => {
      if (reason instanceof WrongVectors) throw new Error(`model ${trial.model}: ${reason.message}`);
      if (!(reason instanceof UpstreamFailure || reason instanceof InputRefused)) throw reason;
    });
  }
}

class WrongVectors extends UpstreamFailure {}

function refuseUnless(
  { name }: Endpoint,
  expected: readonly Float32Array[],
  actual: readonly Float32Array[],
  fault: string,
): void {
  const least = Math.min(...expected.map((vector, i) => cosine(vector, actual[i]!)));
  if (least >= minCosine) return;
  throw new WrongVectors(`${name} ${fault} (cosine ${least.toFixed(3)}, at least ${minCosine} is expected)`, {
    isConfiguration: true,
  });
}
