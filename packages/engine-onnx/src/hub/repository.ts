/** Reads the metadata of a model's repository on a hub. */
import { fieldsOf, type JsonObject } from '../../../small/src/json.ts';
import { weightFilesOf } from '../model-file.ts';
import { type Hub, HubError, type JsonPage } from './hub.ts';

/** A file of a repository, at one commit. */
export interface RemoteFile {
  readonly path: string;
  readonly url: string;
  readonly sizeBytes: number;
  readonly checksum: Checksum;
}

/** SHA-256 of the content, or its Git object id: SHA-1 of `blob <size>`, a zero byte and the content. */
export interface Checksum {
  readonly kind: 'sha256' | 'git';
  readonly hex: string;
}

export interface Repository {
  readonly id: string;
  /** 40 hexadecimal digits. */
  readonly commit: string;
  readonly files: readonly RemoteFile[];
  /** The model that this one is a conversion of, if its card says so. */
  readonly convertedFrom: string | null;
}

const modelId = /^[\w-][\w.-]*\/[\w-][\w.-]*$/;
const commitHash = /^[0-9a-f]{40}$/;
const maxPages = 100;
/** Both bound the memory for the list of a repository's files. */
const maxFiles = 20_000;
const maxPathLength = 1_024;
/** Windows also separates segments by `\` and reads `C:` as a drive. Control characters end paths or forge lists. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are rejected.
const unsafe = /[\\\u0000-\u001f\u007f]|^[a-z]:/i;
/** Files besides graph and tokenizer that affect vectors, including module configurations (`1_Pooling/config.json`). */
const usage = /^(modules|sentence_bert_config|config_sentence_transformers|\d+_\w+\/config)\.json$/;
const basics = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'README.md'];

export const isModelId = (id: string): boolean => modelId.test(id) && !id.includes('..');
export const isCommit = (revision: string): boolean => commitHash.test(revision);

/** Reads the commit that `revision` names, and its list of files. Throws a HubError. */
export async function readRepository(hub: Hub, id: string, revision: string): Promise<Repository> {
  const info = fieldsOf((await hub.json(`/api/models/${id}/revision/${encodeURIComponent(revision)}`)).value);
  const commit = info.sha;
  if (typeof commit !== 'string' || !isCommit(commit)) throw unexpected(hub, `no commit of ${id}`);
  return { id, commit, files: await readTree(hub, id, commit), convertedFrom: convertedFrom(info) };
}

/** Returns the files that describe how the model's vectors are made and used, without graph and tokenizer. */
export function usageFiles({ files }: Repository): RemoteFile[] {
  return files.filter(({ path }) => usage.test(path));
}

/** Returns the files needed to run `graph`. Throws a HubError when there is no tokenizer. */
export function neededFiles(repository: Repository, graph: string): RemoteFile[] {
  const { id, files } = repository;
  if (!files.some(({ path }) => path === 'tokenizer.json')) {
    throw new HubError(`${id}: no tokenizer.json, without which no text can be read`);
  }
  const paths = files.map(({ path }) => path);
  const needed = new Set([...basics, graph, ...weightFilesOf(graph, paths)]);
  return [...files.filter(({ path }) => needed.has(path)), ...usageFiles(repository)];
}

async function readTree(hub: Hub, id: string, commit: string): Promise<RemoteFile[]> {
  const files: RemoteFile[] = [];
  let next: string | null = `/api/models/${id}/tree/${commit}?recursive=true`;
  for (let page = 0; next !== null; page++) {
    if (page === maxPages) throw unexpected(hub, `more than ${maxPages} pages of files`);
    const answer: JsonPage = await hub.json(next);
    if (!Array.isArray(answer.value)) throw unexpected(hub, `no list of the files of ${id}`);
    for (const entry of answer.value.map(fieldsOf)) {
      if (entry.type === 'file') files.push(remoteFile(hub, id, commit, entry));
    }
    if (files.length > maxFiles) throw unexpected(hub, `more than ${maxFiles} files of ${id}`);
    next = answer.next;
  }
  return files;
}

function remoteFile(hub: Hub, id: string, commit: string, entry: JsonObject): RemoteFile {
  const { path, oid, size } = entry;
  const lfs = entry.lfs === undefined || entry.lfs === null ? undefined : fieldsOf(entry.lfs);
  const sizeBytes = lfs?.size ?? size;
  const hex = lfs?.oid ?? oid;
  const isSize = Number.isSafeInteger(sizeBytes) && Number(sizeBytes) >= 0;
  if (typeof path !== 'string' || typeof hex !== 'string' || !isSize) {
    throw unexpected(hub, `a file of ${id} without path, size or checksum`);
  }
  if (!isInside(path)) {
    throw unexpected(hub, `the path ${JSON.stringify(path.slice(0, 100))} for a file of ${id}: refused`);
  }
  return {
    path,
    url: `/${id}/resolve/${commit}/${path.split('/').map(encodeURIComponent).join('/')}`,
    sizeBytes: Number(sizeBytes),
    checksum: { kind: lfs ? 'sha256' : 'git', hex },
  };
}

/** Reports whether the path stays inside its directory on every platform. */
function isInside(path: string): boolean {
  const isName = (segment: string): boolean => !['', '.', '..'].includes(segment) && !unsafe.test(segment);
  return path.length <= maxPathLength && path.split('/').every(isName);
}

/** Returns the base model only for a conversion. Otherwise this model may be trained further than its base. */
function convertedFrom(info: JsonObject): string | null {
  const card = fieldsOf(info.cardData);
  const bases = [card.base_model].flat();
  const isConversion = card.library_name === 'transformers.js' || card.base_model_relation === 'quantized';
  const [base] = bases;
  return isConversion && bases.length === 1 && typeof base === 'string' && isModelId(base) ? base : null;
}

const unexpected = (hub: Hub, what: string): HubError => new HubError(`${hub.host} returns ${what}`);
