import { PassThrough } from 'node:stream';
import { requestView } from '../api/request.ts';
import { ServiceError, unavailable } from '../errors.ts';
import type { Services } from '../service/services.ts';
import { type LiveEvents, LivePoller } from '../usage/live-events.ts';

/** The person who reads a stream. */
export interface StreamReader {
  readonly orgId: string;
  readonly userId: string;
  readonly cookie: string;
  /** Whether they may see who sent a request. */
  seesAll: boolean;
  /** Reads the session and the access again. Undefined: the person has one of them no more. */
  check(): Promise<{ readonly seesAll: boolean } | undefined>;
}

type Needs = Pick<Services, 'stores' | 'clock' | 'log' | 'load' | 'config'>;

interface Stream extends StreamReader {
  readonly output: PassThrough;
}

const maxPerUser = 4;
const checkEveryMs = 15_000;
const maxResumed = 50;
/** Bytes that wait for a client. Beyond, the client doesn't read, and its stream ends. */
const maxUnreadBytes = 256 << 10;

/** The streams of live events that this process serves, and a poller for each of their organizations. */
export class EventStreams {
  readonly #services: Needs;
  readonly #streams = new Set<Stream>();
  readonly #pollers = new Map<string, LivePoller>();
  readonly #timer: NodeJS.Timeout;
  #isClosed = false;

  constructor(services: Needs) {
    this.#services = services;
    this.#timer = setInterval(() => {
      if (services.load.isDraining) this.endAll();
    }, 1_000).unref();
  }

  /** Opens a stream. Throws `rate_limit_exceeded` if the person has the maximum, and `unavailable` at a shutdown. */
  async open(reader: StreamReader, lastEventId: unknown): Promise<PassThrough> {
    if (this.#isClosed || this.#services.load.isDraining) throw unavailable(new Error('shutting down'));
    const { orgId, userId } = reader;
    if ([...this.#streams].filter((stream) => stream.userId === userId).length >= maxPerUser)
      throw new ServiceError(
        'rate_limit_exceeded',
        `You have ${maxPerUser} streams of live events open, which is the maximum`,
        { retryAfterSeconds: 15 },
      );
    const output = new PassThrough({ highWaterMark: maxUnreadBytes });
    const stream: Stream = Object.assign(reader, { output });
    this.#streams.add(stream);
    const check = (text: string) => this.#check(stream, text);
    const heartbeat = setInterval(() => void check(': still here\n\n'), checkEveryMs).unref();
    const poller = this.#pollerOf(orgId);
    let sent = Promise.resolve();
    const listener = {
      onEvents(events: LiveEvents) {
        sent = sent.then(async () => {
          // The reader may be one of the members who have changed.
          if (events.changes.includes('member')) await check('');
          send(stream, eventsText(events, stream));
        });
      },
      onEnd: () => void output.end(),
    };
    poller.listeners.add(listener);
    // Called when the stream has ended, and when the client has disconnected.
    output.once('close', () => {
      clearInterval(heartbeat);
      this.#streams.delete(stream);
      poller.listeners.delete(listener);
      if (poller.listeners.size > 0) return;
      poller.stop();
      this.#pollers.delete(orgId);
    });
    await poller.started;
    send(stream, `retry: 3000\n\n${missed(poller, lastEventId, stream)}`);
    return output;
  }

  /** Ends the streams of the matching readers whose session or access is gone. */
  async recheck(isMeant: (reader: StreamReader) => boolean): Promise<void> {
    await Promise.all([...this.#streams].filter(isMeant).map((stream) => this.#check(stream, '')));
  }

  endAll(): void {
    for (const { output } of this.#streams) output.end();
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.endAll();
  }

  #pollerOf(orgId: string): LivePoller {
    const { stores, clock, log, config } = this.#services;
    const onError = (reason: unknown) => log.warn({ err: reason }, 'live events could not be read');
    const parts = { store: stores.requestLog, clock, orgId, hasLog: config.hasRequestLog, onError };
    const poller = this.#pollers.get(orgId) ?? new LivePoller(parts);
    this.#pollers.set(orgId, poller);
    return poller;
  }

  async #check(stream: Stream, text: string): Promise<void> {
    try {
      const found = await stream.check();
      if (!found) return void stream.output.end();
      stream.seesAll = found.seesAll;
    } catch {
      // The database is unavailable. The next check decides.
    }
    send(stream, text);
  }
}

function send({ output }: Stream, text: string): void {
  if (text === '' || output.writableEnded || output.destroyed) return;
  if (output.writableLength + output.readableLength > maxUnreadBytes) output.destroy();
  else output.write(text);
}

function eventsText({ requests, usage, changes }: LiveEvents, reader: StreamReader): string {
  const texts = requests.map((entry) => {
    const data = JSON.stringify(requestView(entry, reader));
    return `id: ${entry.at}-${entry.entryId}\nevent: request\ndata: ${data}\n\n`;
  });
  if (usage !== 0) texts.push(`event: usage\ndata: {"requests":${usage}}\n\n`);
  for (const change of changes) texts.push(`event: ${change}\ndata: {}\n\n`);
  return texts.join('');
}

/** Returns the events that a client missed. A client that missed many continues with the newest. */
function missed(poller: LivePoller, lastEventId: unknown, reader: StreamReader): string {
  const [, at, entryId] = /^(\d{1,15})-([0-9a-f-]{36})$/.exec(String(lastEventId)) ?? [];
  if (at === undefined || entryId === undefined) return '';
  const requests = poller.since(Number(at), entryId, maxResumed);
  return eventsText({ requests, usage: requests.length, changes: [] }, reader);
}
