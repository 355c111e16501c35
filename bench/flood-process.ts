import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { httpLoad, postBytes } from './http-load.ts';
import { textsOfWords } from './texts.ts';

// Floods a service in a process of its own, and reports the responses of the time between its arguments `fromMs` and
// `durationMs`. Refused requests are sent again at once.

const [address = '', key, connections, requests, texts, words, seed, fromMs, durationMs] =
  process.argv.slice(2);
const text = textsOfWords(Number(seed));
// Made before the flood, because making them would take processor time from the service.
const made = Array.from({ length: Number(requests) }, () =>
  postBytes(
    '/v1/embeddings',
    { input: Array.from({ length: Number(texts) }, () => text(Number(words))), encoding_format: 'base64' },
    { authorization: `Bearer ${key}` },
  ),
);
process.send?.('ready');
await once(process, 'message');

let sent = 0;
const current: (Buffer | undefined)[] = [];
/** Returns the connection's refused request again, and otherwise a request whose texts are not in the cache. */
const next = (connection: number): Buffer => {
  current[connection] ??= made[sent++ % made.length]!;
  return current[connection];
};
const counted = { answers: 0, refusals: 0 };
const began = performance.now();
const count = (what: keyof typeof counted, connection: number): void => {
  if (what === 'answers') current[connection] = undefined;
  const elapsedMs = performance.now() - began;
  if (elapsedMs >= Number(fromMs) && elapsedMs < Number(durationMs)) counted[what] += 1;
};
const sending = httpLoad({
  address,
  connections: Number(connections),
  durationMs: Number(durationMs),
  next,
  onAnswer: (_tookMs, connection) => count('answers', connection),
  onRefusal: (connection) => count('refusals', connection),
});
// The requests in progress are abandoned. Their responses can take longer than the flood.
await Promise.race([sending, setTimeout(Number(durationMs))]);
process.send?.(counted, () => process.exit());
