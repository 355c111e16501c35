import { setTimeout } from 'node:timers/promises';
import { FastClient } from '../../helpers/fast-client.ts';

/** The results of one organization's clients. */
export interface Met {
  /** New texts that were computed: each must be counted. */
  computed: number;
  cached: number;
  /** New texts that failed: each may have been counted. */
  failed: number;
  /** Cached texts that failed. */
  cachedFailed: number;
  longestMs: number;
}

export interface Client {
  readonly key: string;
  /** The address for requests at this moment. */
  readonly address: () => string;
}

export interface FaultLoad {
  /** In the order of the organizations. */
  readonly met: readonly Met[];
  /** Statuses that no fault explains, with their bodies. */
  readonly unexpected: readonly string[];
  /** Sends a new text for the organization at this index, and returns whether it was computed. */
  sendNew(place: number): Promise<boolean>;
  /** Resolves when every client has finished its requests. */
  stop(): Promise<void>;
}

const pauseMs = 30;
const newTextClients = 2;
let loads = 0;

/** Each organization has clients that send distinct texts in sequence, and one that repeats the same text. */
export function startFaultLoad(
  clients: readonly Client[],
  { withCached = true }: { withCached?: boolean } = {},
): FaultLoad {
  const http = new FastClient();
  const label = `${process.pid} ${loads++}`;
  const met = clients.map(() => ({ computed: 0, cached: 0, failed: 0, cachedFailed: 0, longestMs: 0 }));
  const unexpected: string[] = [];
  let isOver = false;
  let texts = 0;

  const send = async (place: number, text: string, isNew: boolean): Promise<boolean> => {
    const { key, address } = clients[place]!;
    const mine = met[place]!;
    const sentAtMs = performance.now();
    const answer = await http.embed(address(), key, text).catch(() => undefined);
    mine.longestMs = Math.max(mine.longestMs, performance.now() - sentAtMs);
    if (answer?.status === 200) {
      const isComputed = answer.body.includes('"cached":false,');
      mine[isComputed ? 'computed' : 'cached'] += 1;
      return isComputed;
    }
    mine[isNew ? 'failed' : 'cachedFailed'] += 1;
    if (answer && answer.status !== 503) unexpected.push(`${answer.status} ${answer.body.slice(0, 200)}`);
    return false;
  };
  const sendNew = (place: number) => send(place, `new ${label} ${texts++}`, true);
  const repeat = async (body: () => Promise<unknown>): Promise<void> => {
    while (!isOver) {
      await body();
      await setTimeout(pauseMs);
    }
  };
  const running = clients.flatMap((_, place) => [
    ...Array.from({ length: newTextClients }, () => repeat(() => sendNew(place))),
    ...(withCached ? [repeat(() => send(place, cachedText, false))] : []),
  ]);
  return {
    met,
    unexpected,
    sendNew,
    async stop() {
      isOver = true;
      await Promise.all(running);
      http[Symbol.dispose]();
    },
  };
}

/** It has to be computed once for each organization before it can be found. */
export const cachedText = 'the text that everybody knows';
