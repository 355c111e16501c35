import { EmbeddingClient } from '../../../packages/embed-file/src/index.ts';
import { fieldsOf, type JsonObject, parsedJson } from '../../../packages/small/src/json.ts';
import { defaultUrl, endpoint } from '../commands/embed.ts';
import { tell } from '../output.ts';

const concurrency = 4;
const sending = { fields: {}, attempts: 6, timeoutMs: 120_000, onRetry: tell };

type Demand = Parameters<EmbeddingClient['send']>[1];
export type Send = (
  request: Pick<Demand, 'method' | 'body'> & { readonly path: string },
) => Promise<JsonObject>;

/** Returns a function that sends a request to the server and returns the fields of its response. */
export function senderTo(environment: NodeJS.ProcessEnv, stated: string | undefined): Send {
  const url = endpoint(stated ?? (environment.EMBEDGATE_URL || defaultUrl));
  const client = new EmbeddingClient({ ...sending, url, key: environment.EMBEDGATE_KEY || undefined });
  return async ({ path, ...demand }) =>
    fieldsOf(parsedJson((await client.send(path, { method: 'GET', ...demand })).text));
}

/** Runs `body` for several items at a time. After a failure, no more begin, and the first is thrown at the end. */
export async function forEach<T>(items: readonly T[], body: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const failures: unknown[] = [];
  const work = async () => {
    for (const item of rest) {
      if (failures.length > 0) return;
      await body(item).catch((reason) => failures.push(reason));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  if (failures.length > 0) throw failures[0];
}
