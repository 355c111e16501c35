import { requestEmbeddings } from './requests.ts';

export interface Load {
  /** Requests that got an embedding which was computed for them: each must be counted. */
  answered: number;
  /** Requests whose outcome the client does not know: each may be counted. */
  unknown: number;
  /** Requests that got an error status. */
  refused: number;
  /** Resolves when every client has stopped. */
  readonly done: Promise<void>;
  /** Lets the clients finish their current requests, and send no more. */
  stop(): void;
}

let round = 0;

/** Clients that send distinct texts in sequence until they are stopped or the connection fails. */
export function startLoad(address: string, keys: readonly string[], clients: number): Load {
  const label = `load ${process.pid} ${round++}`;
  let stopped = false;
  const load: Load = {
    answered: 0,
    unknown: 0,
    refused: 0,
    done: Promise.resolve(),
    stop: () => {
      stopped = true;
    },
  };
  const client = async (id: number): Promise<void> => {
    const key = keys[id % keys.length] as string;
    for (let i = 0; !stopped; i += 1) {
      try {
        const response = await requestEmbeddings(address, key, `${label} client ${id} text ${i}`);
        const body = (await response.json()) as { cached?: boolean };
        if (response.status !== 200) load.refused += 1;
        else if (!body.cached) load.answered += 1;
      } catch {
        load.unknown += 1;
        return;
      }
    }
  };
  const running = Array.from({ length: clients }, (_, id) => client(id));
  Object.assign(load, { done: Promise.all(running).then(() => {}) });
  return load;
}
