/**
 * A hub on this machine with the interface of Hugging Face's: an API, a redirect to another host for large
 * files, ranges.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative, sep } from 'node:path';

export interface HubModel {
  /** Its files. */
  readonly directory: string;
  /** From the model's card. */
  readonly card?: Readonly<Record<string, unknown>>;
  /** Reading requires this token. */
  readonly token?: string;
  /** Other paths under which some files are listed and served, by their own path. */
  readonly listedAs?: Readonly<Record<string, string>>;
}

export interface HubRequest {
  readonly host: 'hub' | 'storage';
  readonly path: string;
  readonly range: string | undefined;
  readonly authorization: string | undefined;
  readonly status: number;
}

export type Fault =
  | 'busy'
  /** The same, in the header that Hugging Face sends. */
  | 'limited'
  | 'cut'
  | 'silent'
  | 'mute'
  | 'damaged'
  | 'longer'
  /** A mirror with a cut file, which supports ranges or not. */
  | 'shorter'
  | 'shorter, without ranges'
  /** A cut file whose response states no length. */
  | 'shorter, in chunks'
  /** A page of a proxy, which states its length or not. */
  | 'page'
  | 'page, in chunks'
  | 'unavailable'
  | 'ignores ranges';

const filesPerPage = 3;
const isLarge = (path: string): boolean => /\.onnx|tokenizer\.json$/.test(path);

export class ModelHub implements AsyncDisposable {
  readonly requests: HubRequest[] = [];
  /** What happens at the next requests to the file or document whose path ends like that. */
  readonly faults = new Map<string, Fault[]>();
  readonly #models: Readonly<Record<string, HubModel>>;
  readonly #hub: Server;
  #addresses = { hub: '', storage: '' };
  readonly #storage: Server;

  private constructor(models: Readonly<Record<string, HubModel>>) {
    this.#models = models;
    this.#hub = createServer((request, response) => this.#serve('hub', request, response));
    this.#storage = createServer((request, response) => this.#serve('storage', request, response));
  }

  static async start(models: Readonly<Record<string, HubModel>>): Promise<ModelHub> {
    const hub = new ModelHub(models);
    hub.#addresses = { hub: await listen(hub.#hub), storage: await listen(hub.#storage) };
    return hub;
  }

  get endpoint(): string {
    return this.#addresses.hub;
  }

  /** The requests it got for the content of files whose path ends like that. */
  contentRequests(path: string): HubRequest[] {
    return this.requests.filter((request) => request.path.endsWith(path) && request.status !== 302);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of [this.#hub, this.#storage]) {
      if (!server.listening) continue;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    }
  }

  #serve(host: HubRequest['host'], request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', this.endpoint);
    const path = decodeURIComponent(url.pathname);
    const { range, authorization } = request.headers;
    response.on('close', () => {
      this.requests.push({ host, path, range, authorization, status: response.statusCode });
    });
    const [, id = ''] = /^(?:\/api\/models)?\/([^/]+\/[^/]+)\//.exec(path) ?? [];
    const model = this.#models[id];
    if (!model) return end(response, 404);
    // The storage gets a signed address, and would refuse a header that it does not know.
    if (host === 'storage' && authorization) return end(response, 400);
    if (host === 'hub' && model.token && authorization !== `Bearer ${model.token}`) return end(response, 401);
    const faults = [...this.faults].find(([end]) => path.endsWith(end))?.[1];
    if (faults?.[0] === 'busy' || faults?.[0] === 'limited')
      return end(
        response,
        429,
        faults.shift() === 'busy' ? { 'retry-after': '1' } : { ratelimit: '"api";r=0;t=1' },
      );
    if (faults?.[0] === 'unavailable') {
      faults.shift();
      return end(response, 503);
    }
    const files = filesOf(model);
    const commit = createHash('sha1')
      .update(JSON.stringify([...files.values()].map(gitHash)))
      .digest('hex');
    if (path === `/api/models/${id}/revision/main` || path === `/api/models/${id}/revision/${commit}`) {
      return json(response, { id, sha: commit, cardData: model.card ?? {} });
    }
    if (path === `/api/models/${id}/tree/${commit}`) return this.#tree(url, files, response);
    const prefix = `/${id}/resolve/${commit}/`;
    const bytes = [...files].find(([name]) => pathOf(prefix + name) === path)?.[1];
    if (!bytes) return end(response, 404);
    if (host === 'hub' && isLarge(path)) {
      response.setHeader('x-linked-etag', `"${sha256(bytes)}"`);
      return end(response, 302, { location: this.#addresses.storage + url.pathname });
    }
    this.#content(path, bytes, range, response);
  }

  #tree(url: URL, files: ReadonlyMap<string, Buffer>, response: ServerResponse): void {
    const start = Number(url.searchParams.get('cursor') ?? 0);
    const entries = [...files].map(([path, bytes]) => ({
      type: 'file',
      path,
      size: bytes.length,
      oid: isLarge(path) ? gitHash(Buffer.from(`pointer to ${path}`)) : gitHash(bytes),
      ...(isLarge(path) && { lfs: { oid: sha256(bytes), size: bytes.length, pointerSize: 134 } }),
    }));
    const folders = [{ type: 'directory', path: 'onnx', oid: '0'.repeat(40), size: 0 }];
    const next = start + filesPerPage;
    if (next < entries.length) {
      url.searchParams.set('cursor', String(next));
      response.setHeader('link', `<${url.href}>; rel="next"`);
    }
    json(response, [...(start === 0 ? folders : []), ...entries.slice(start, next)]);
  }

  #content(path: string, bytes: Buffer, range: string | undefined, response: ServerResponse) {
    const fault = [...this.faults].find(([end]) => path.endsWith(end))?.[1].shift();
    const [, from] = /^bytes=(\d+)-$/.exec(range ?? '') ?? [];
    const hasRanges = fault !== 'ignores ranges' && fault !== 'shorter, without ranges';
    const start = from === undefined || !hasRanges ? 0 : Number(from);
    const isPart = start > 0;
    const size = fault?.startsWith('shorter') ? bytes.length - 9 : bytes.length;
    if (isPart) response.setHeader('content-range', `bytes ${start}-${size - 1}/${size}`);
    const sent = Buffer.from(bytes.subarray(start, size));
    if (fault === 'damaged') sent[sent.length >> 1]! ^= 1;
    const body = fault === 'longer' ? Buffer.concat([sent, Buffer.from('more')]) : sent;
    if (fault?.startsWith('page')) {
      response.setHeader('content-type', 'text/html');
      if (fault === 'page, in chunks') response.write('<p>');
      return response.end('<p>Sign in</p>');
    }
    const length = fault === 'shorter, in chunks' ? {} : { 'content-length': body.length };
    response.writeHead(isPart ? 206 : 200, { ...length, etag: `"${sha256(bytes)}"` });
    if (fault === 'mute') return response.flushHeaders();
    if (fault !== 'cut' && fault !== 'silent') return response.end(body);
    response.write(body.subarray(0, body.length >> 1), () => {
      if (fault === 'cut') response.destroy();
    });
  }
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const gitHash = (bytes: Buffer): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');

/** The path that a client requests: it resolves `..` itself. */
const pathOf = (address: string): string =>
  decodeURIComponent(
    new URL(address.split('/').map(encodeURIComponent).join('/'), 'http://localhost').pathname,
  );

function filesOf({ directory, listedAs = {} }: HubModel): Map<string, Buffer> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).sort();
  const nameOf = (path: string): string => relative(directory, path).split(sep).join('/');
  return new Map(paths.map((path) => [listedAs[nameOf(path)] ?? nameOf(path), readFileSync(path)]));
}

function json(response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
}

function end(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, headers).end();
}
