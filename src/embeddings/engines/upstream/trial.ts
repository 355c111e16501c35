/** The checks that an upstream must pass before its vectors are served or cached. */
import { cosine, selfTestTexts } from '../engine.ts';
import type { Endpoint, Trial } from './endpoint.ts';
import { InputRefused, UpstreamFailure } from './failures.ts';
import { type Encoding, requestFor } from './request.ts';
import type { UpstreamSettings } from './settings.ts';

interface Expected {
  readonly dimensions: number;
  readonly encoding: Encoding;
}

/** Tolerates servers whose results vary because of low precision. Another text's vector is much farther away. */
const minCosine = 0.99;
const aliveTimeoutMs = 5_000;

/** The trial of an upstream's addresses. Each must return the same vectors as the first one that passed. */
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
    refuseUnless(
      endpoint,
      alone,
      together,
      'returns a different vector for a text with other texts than alone',
    );
    this.#reference ??= alone;
    refuseUnless(endpoint, this.#reference, alone, 'returns different vectors than the other addresses');
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
    try {
      return (await endpoint.ask(requestFor(texts, this.#settings, form))).vectors;
    } catch (reason) {
      // A refusal of the trial's texts is a fault of the address. It must not be taken for one of a client's text.
      if (!(reason instanceof InputRefused)) throw reason;
      throw new UpstreamFailure(`${reason.message} to the texts of the trial`, { isConfiguration: true });
    }
  }
}

/**
 * Runs the trial for each address, one after the other, because the first is the reference for the rest. An address
 * that is unreachable or rejects the key is tried again before it is used. Throws one line when vectors are wrong.
 */
export async function prove(
  endpoints: readonly Endpoint[],
  trial: UpstreamTrial,
  signal: AbortSignal,
): Promise<void> {
  for (const endpoint of endpoints) {
    endpoint.require(trial);
    await endpoint.prove(signal).catch((reason) => {
      if (reason instanceof WrongVectors) throw new Error(`model ${trial.model}: ${reason.message}`);
      if (!(reason instanceof UpstreamFailure)) throw reason;
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
