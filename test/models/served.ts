/** Models that are pulled from the hub with the command, and services that serve them. */
import type { Engine, InputType } from '../../packages/engine/src/index.ts';
import { openOnnxEngine } from '../../packages/engine-onnx/src/onnx-engine.ts';
import type { TokenizedText } from '../../packages/engine-onnx/src/tokenized-text.ts';
import { temporaryDirectory } from '../helpers/directory.ts';
import { embedgate, embedgateJson } from '../helpers/embedgate.ts';
import { type RunningService, startService } from '../helpers/service.ts';

export interface ModelRequest {
  readonly id: string;
  /** The address of the hub. */
  readonly endpoint: string;
  /** Default: full precision. */
  readonly dtype?: string;
}

const textsPerRequest = 200;
const clients = 4;
const requestDeadlineMs = 300_000;
const textsPerCall = 256;

/** Returns the ids that the engine feeds to the graph. */
export async function idsOf(
  directory: string,
  texts: readonly string[],
  inputType: InputType,
): Promise<number[][]> {
  const options = { directory, name: 'compared', workers: 1, threadsPerWorker: 1 };
  const engine: Engine<TokenizedText> = await openOnnxEngine(options);
  try {
    const ids: number[][] = [];
    for (let start = 0; start < texts.length; start += textsPerCall) {
      const prepared = await engine.prepare(texts.slice(start, start + textsPerCall), inputType);
      ids.push(...prepared.map((text) => [...text.ids]));
    }
    return ids;
  } finally {
    await engine.close();
  }
}

/** Pulls a model into a data directory of its own and calls `use` with a service that serves it without a quota. */
export async function withModel<R>(
  { id, endpoint, dtype }: ModelRequest,
  use: (service: RunningService, directory: string) => Promise<R>,
): Promise<R> {
  using data = temporaryDirectory();
  const hub = { DATA_DIR: data.path, HF_ENDPOINT: endpoint };
  const pull = ['models', 'pull', id, ...(dtype === undefined ? [] : ['--dtype', dtype])];
  const { directory } = await embedgateJson<{ directory: string }>(pull, hub);
  const settings = { EMBEDDING_MODEL: id, EMBEDDING_WORKERS: '', ...(dtype && { EMBEDDING_DTYPE: dtype }) };
  await using service = await startService({ dataDir: data.path, environment: { ...hub, ...settings } });
  const unlimited = ['orgs', 'set-tier', '--org-id', service.orgId, '--tier', 'enterprise'];
  await embedgateJson(unlimited, service.environment);
  // Awaited here, because the service stops when this scope ends.
  return await use(service, directory);
}

/** Pulls a model and starts a service, which must refuse it. Returns what the service prints. */
export async function refusalOf({ id, endpoint }: ModelRequest): Promise<string> {
  using data = temporaryDirectory();
  const hub = { DATA_DIR: data.path, HF_ENDPOINT: endpoint };
  await embedgateJson(['models', 'pull', id], hub);
  const { code, stderr } = await embedgate(['serve'], { ...hub, EMBEDDING_MODEL: id, PORT: '0' });
  return code === 0 ? '' : stderr;
}

/** Returns the vectors of the texts, requested over HTTP in parts by several clients. */
export async function embedded(
  { address, key }: RunningService,
  texts: readonly string[],
  inputType: InputType,
): Promise<Float32Array[]> {
  const vectors = new Array<Float32Array>(texts.length);
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < texts.length) {
      const start = next;
      next += textsPerRequest;
      const input = texts.slice(start, start + textsPerRequest);
      const body = JSON.stringify({ input, input_type: inputType, encoding_format: 'base64' });
      const response = await fetch(`${address}/v1/embeddings`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body,
        signal: AbortSignal.timeout(requestDeadlineMs),
      });
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
      const { data } = (await response.json()) as { data: { index: number; embedding: string }[] };
      for (const { index, embedding } of data) vectors[start + index] = floatsOf(embedding);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return vectors;
}

function floatsOf(base64: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  return new Float32Array(bytes.buffer);
}
