/** The checks that an upstream must pass before its vectors are served or cached. */
import { createHash } from 'node:crypto';
import { closeness, selfTestTextsOf } from '../../engine/src/index.ts';
import type { Endpoint, Trial } from './endpoint.ts';
import { InputRefused, UpstreamFailure } from './failures.ts';
import { requestFor } from './request.ts';
import type { UpstreamResponse } from './response.ts';
import type { UpstreamSettings } from './settings.ts';

interface Expected {
  readonly dimensions: number;
  readonly fingerprint: string;
}

/**
 * Stores the vectors unless some are stored under the key, and returns those that are. So a model that changes under
 * the same name is noticed at a later start, and by other replicas.
 */
export type KeepVectors = (key: string, vectors: Uint8Array) => Promise<Uint8Array>;

/** Different texts whose vectors are this close have the same vector, apart from rounding. */
const sameCosine = 0.9999;
/** Tolerates servers whose results vary because of low precision. Another text's vector is much farther away. */
const minCosine = 0.99;
const aliveTimeoutMs = 5_000;

/** The trial of an upstream's addresses. Each must return the same vectors as the first one that passed. */
export class UpstreamTrial implements Trial {
  readonly #settings: UpstreamSettings;
  readonly #texts: readonly string[];
  readonly #expected: Expected;
  readonly #keep: KeepVectors;
  readonly #passed = new Set<Endpoint>();
  #reference: readonly Float32Array[] | undefined;
  #addedTokens = 0;

  constructor(settings: UpstreamSettings, expected: Expected, keep: KeepVectors) {
    this.#settings = settings;
    this.#texts = selfTestTextsOf(settings);
    this.#expected = expected;
    this.#keep = keep;
  }

  /** An upper bound of the tokens that the upstream adds to a text. */
  get addedTokens(): number {
    return this.#addedTokens;
  }

  get model(): string {
    return this.#settings.name;
  }

  async pass(endpoint: Endpoint, signal: AbortSignal): Promise<void> {
    const alone: Float32Array[] = [];
    const tokens: number[] = [];
    for (const text of this.#texts) {
      const { vectors, promptTokens = 0 } = await this.#ask(endpoint, [text], signal);
      alone.push(...vectors);
      tokens.push(promptTokens);
    }
    // Two scores near 0 are close without being the same.
    const same = this.#settings.task === 'rerank' ? 1 : sameCosine;
    if (closeness(alone[0]!, alone[1]!) >= same) {
      throw new WrongVectors(`${endpoint.name} returns the same vector for different texts`, {
        isConfiguration: true,
      });
    }
    const together =
      this.#settings.maxBatchTexts < this.#texts.length
        ? alone
        : (await this.#ask(endpoint, this.#texts, signal)).vectors;
    refuseUnless(
      endpoint,
      alone,
      together,
      'returns a different vector for a text with other texts than alone',
    );
    const hasChanged = this.#passed.size === 0 || this.#passed.has(endpoint);
    this.#reference ??= await this.#kept(alone);
    refuseUnless(
      endpoint,
      this.#reference,
      alone,
      hasChanged
        ? 'returns different vectors than when the service first used this model, so cached vectors are of ' +
            'another one. Set EMBEDDING_REVISION (revision in a file) to a new value, or bring the old model back'
        : 'returns different vectors than the other addresses',
    );
    this.#passed.add(endpoint);
    this.#addedTokens = Math.max(this.#addedTokens, Math.min(...tokens));
  }

  async isAlive(endpoint: Endpoint, signal: AbortSignal): Promise<boolean> {
    const timeoutMs = Math.min(this.#settings.timeoutMs, aliveTimeoutMs);
    const asked = this.#ask(endpoint, this.#texts.slice(0, 1), signal, timeoutMs);
    const [vector] = await asked.then(
      ({ vectors }) => vectors,
      () => [],
    );
    if (!vector || closeness(vector, this.#reference![0]!) >= minCosine) return vector !== undefined;
    endpoint.require(this);
    return false;
  }

  /** Returns the vectors of the trial when it was first passed with this fingerprint, on whatever replica. */
  async #kept(alone: readonly Float32Array[]): Promise<readonly Float32Array[]> {
    const { dimensions, fingerprint } = this.#expected;
    const key = createHash('sha256')
      .update(JSON.stringify([fingerprint, this.#texts]))
      .digest('hex');
    const bytes = Buffer.concat(
      alone.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
    );
    const kept = new Float32Array(new Uint8Array(await this.#keep(key, bytes)).buffer);
    return alone.map((_, i) => kept.subarray(i * dimensions, (i + 1) * dimensions));
  }

  async #ask(
    endpoint: Endpoint,
    texts: readonly string[],
    signal: AbortSignal,
    timeoutMs = this.#settings.timeoutMs,
  ): Promise<UpstreamResponse> {
    const form = { ...this.#expected, timeoutMs, signal };
    try {
      return await endpoint.ask(requestFor(texts, this.#settings, form));
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
  const least = Math.min(...expected.map((vector, i) => closeness(vector, actual[i]!)));
  if (least >= minCosine) return;
  throw new WrongVectors(`${name} ${fault} (cosine ${least.toFixed(3)}, at least ${minCosine} is expected)`, {
    isConfiguration: true,
  });
}
