import { setTimeout } from 'node:timers/promises';
import { selfTestTextsOf } from '../../engine/src/index.ts';
import { fieldsOf, isPositiveInteger } from '../../small/src/json.ts';
import { backoffMs } from '../../small/src/retry.ts';
import type { Endpoints } from './endpoints.ts';
import { InputRefused, UpstreamFailure } from './failures.ts';
import { requestFor } from './request.ts';
import type { UpstreamResponse } from './response.ts';
import type { UpstreamSettings } from './settings.ts';

/** The properties found of the upstream's model. */
export interface ProbeFindings {
  readonly dimensions: number;
  readonly maxTokens: number;
}

interface Options {
  readonly warn: (what: string) => void;
  readonly signal: AbortSignal;
}

const defaultMaxTokens = 8_192;
const pauses = { firstMs: 1_000, longestMs: 10_000 };
const modelsTimeoutMs = 5_000;

/**
 * Requests one vector to find the model's properties. Waits up to `startTimeoutMs` for an unreachable upstream. If
 * dimensions and limit are configured, tries once and then does without. Throws one line that says what to check.
 */
export async function probe(
  endpoints: Endpoints,
  settings: UpstreamSettings,
  options: Options,
): Promise<ProbeFindings> {
  const answer = await firstAnswer(endpoints, settings, options);
  const maxTokens =
    settings.maxTokens ?? (await statedMaxTokens(endpoints, settings, options)) ?? defaultMaxTokens;
  return { dimensions: answer?.vectors[0]?.length ?? settings.dimensions!, maxTokens };
}

async function firstAnswer(
  endpoints: Endpoints,
  settings: UpstreamSettings,
  { warn, signal }: Options,
): Promise<UpstreamResponse | undefined> {
  const { name, dimensions, maxTokens, startTimeoutMs } = settings;
  const deadline = performance.now() + startTimeoutMs;
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask(endpoints, settings, signal);
    } catch (reason) {
      if (!(reason instanceof UpstreamFailure || reason instanceof InputRefused)) throw reason;
      const message = `model ${name}: ${reason.message}`;
      const canWait = reason instanceof UpstreamFailure && !reason.isConfiguration;
      if (!canWait) throw new Error(message);
      if (dimensions !== null && maxTokens !== null) {
        warn(`${message}; starting without it`);
        return undefined;
      }
      const pauseMs = backoffMs(tries - 1, pauses);
      if (performance.now() + pauseMs > deadline) {
        throw new Error(
          `${message}; not available within ${startTimeoutMs} ms. With its dimensions and max. tokens ` +
            'configured, a start needs no upstream',
        );
      }
      if (tries === 1) warn(`${message}; waiting for it`);
      await setTimeout(pauseMs, undefined, { signal });
    }
  }
}

function ask(
  endpoints: Endpoints,
  settings: UpstreamSettings,
  signal: AbortSignal,
): Promise<UpstreamResponse> {
  const { dimensions, timeoutMs } = settings;
  const form = { dimensions: dimensions ?? undefined, timeoutMs, signal };
  return endpoints.send(
    requestFor(selfTestTextsOf(settings).slice(0, 1), settings, form),
    performance.now() + timeoutMs,
  );
}

/**
 * Returns the limit that vLLM, llama.cpp and Embedgate list with their models, or undefined if the upstream lists
 * none. The limit is part of the fingerprint, so startup waits for the list rather than use a different limit than
 * the last time.
 */
async function statedMaxTokens(
  endpoints: Endpoints,
  { name, model, startTimeoutMs }: UpstreamSettings,
  { warn, signal }: Options,
): Promise<number | undefined> {
  const deadline = performance.now() + startTimeoutMs;
  for (let tries = 1; ; tries += 1) {
    try {
      return limitIn(await firstList(endpoints, signal), model);
    } catch (reason) {
      if (!(reason instanceof UpstreamFailure)) throw reason;
      const message = `model ${name}: ${reason.message}, when asked for its models`;
      const pauseMs = backoffMs(tries - 1, pauses);
      if (performance.now() + pauseMs > deadline) {
        throw new Error(
          `${message}; configure its max. tokens (EMBEDDING_MAX_TOKENS, or max_tokens in a file)`,
        );
      }
      if (tries === 1) warn(`${message}; retrying`);
      await setTimeout(pauseMs, undefined, { signal });
    }
  }
}

async function firstList(endpoints: Endpoints, signal: AbortSignal): Promise<unknown> {
  let last: unknown;
  for (const endpoint of endpoints.all) {
    try {
      return await endpoint.models(modelsTimeoutMs, signal);
    } catch (reason) {
      last = reason;
    }
  }
  throw last;
}

function limitIn(list: unknown, model: string): number | undefined {
  const { data } = fieldsOf(list);
  const models = Array.isArray(data) ? data.map(fieldsOf) : [];
  const listed = models.find((candidate) => candidate.id === model);
  const limit = listed?.max_model_len ?? listed?.max_input_tokens ?? fieldsOf(listed?.meta).n_ctx_train;
  return isPositiveInteger(limit) && Number.isSafeInteger(limit) ? limit : undefined;
}
