import type { RunningService } from '../test/helpers/service.ts';
import { type Measurement, median, rounded } from './benchmark.ts';
import { freeOfQuota } from './free-of-quota.ts';
import { httpLoad, postBytes } from './http-load.ts';
import { bestRawSession } from './raw-session.ts';

export interface AgainstRaw {
  readonly service: RunningService;
  /** The directory of the model that it serves. */
  readonly model: string;
  /** What the raw session computes. Every text that is sent over HTTP is a different one of the same length. */
  readonly rawTexts: readonly string[];
  readonly text: () => string;
  readonly clients: number;
  readonly rounds: number;
  readonly durationMs: number;
}

/** Texts per second over HTTP, one per request, ÷ those of ONNX Runtime alone at its best batch size. */
export async function againstRaw(options: AgainstRaw): Promise<Measurement> {
  const { service, clients, durationMs, text } = options;
  await freeOfQuota(service);
  await using raw = await bestRawSession(options.model, options.rawTexts);
  const authorization = `Bearer ${service.key}`;
  const next = (): Buffer => postBytes('/v1/embeddings', { input: text() }, { authorization });
  const overHttp = async (): Promise<number> =>
    (await httpLoad({ address: service.address, connections: clients, next, durationMs })).perSecond;
  // The first one compiles.
  await overHttp();

  const pairs: { http: number; raw: number }[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    pairs.push({ raw: await raw.perSecond(), http: await overHttp() });
  }
  return {
    value: median(pairs.map((pair) => pair.http / pair.raw)),
    details:
      `${rounded(median(pairs.map((pair) => pair.http)))} texts/s against ` +
      `${rounded(median(pairs.map((pair) => pair.raw)))} (${raw.description})`,
  };
}
