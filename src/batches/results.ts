import { EmbeddingMemo } from '../embeddings/embedding-memo.ts';
import { type EmbeddingsBody, embeddingsBody } from '../embeddings/encode.ts';
import { type InTurn, stepInTurns } from '../lib/fair-turns.ts';

/** The response to a line, with its vectors apart. */
export type LineBody =
  | { readonly kind: 'json'; readonly value: object }
  | ({ readonly kind: 'embeddings'; readonly vectors: readonly Float32Array[] } & Form);

type Form = Omit<EmbeddingsBody, 'embeddings' | 'keys' | 'dimensions' | 'memo'>;

export interface Result {
  /** `batch_req_` and 32 hexadecimal digits. */
  readonly id: string;
  readonly customId: string;
  readonly status: number;
  readonly requestId: string;
  readonly body: LineBody;
}

/** A line that was not run. */
export interface Unrun {
  readonly id: string;
  readonly customId: string;
  readonly error: { readonly code: string; readonly message: string };
}

/** A line as a piece has it: the vectors of embeddings are numbers behind the JSON. */
interface StoredLine {
  readonly id: string;
  readonly customId: string;
  readonly status: number;
  readonly requestId: string;
  readonly json?: object;
  readonly form?: Form & { readonly count: number; readonly dimensions: number };
  readonly error?: Unrun['error'];
}

const lengthBytes = 4;
/** The number of the format of pieces with results. */
const format = 1;
/** Responses are rendered once for each reader, so nothing is remembered. */
const noMemo = new EmbeddingMemo(0);

/**
 * Returns a piece with results: the length of a JSON text in bytes (uint32, little-endian), the JSON text with the lines, and the
 * numbers of all vectors (float32, little-endian). The lines of a response in JSON would take two to four times as
 * much.
 */
export function packResults(results: readonly (Result | Unrun)[]): Buffer {
  const vectors: Float32Array[] = [];
  const lines = results.map((result): StoredLine => {
    if (!('body' in result)) return { ...result, status: 0, requestId: '' };
    const { body, ...line } = result;
    if (body.kind === 'json') return { ...line, json: body.value };
    const { kind: _, vectors: own, ...form } = body;
    vectors.push(...own);
    return { ...line, form: { ...form, count: own.length, dimensions: own[0]?.length ?? 0 } };
  });
  const json = Buffer.from(JSON.stringify({ format, lines }));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(json.length);
  const numbers = vectors.map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  );
  return Buffer.concat([length, json, ...numbers]);
}

/** Returns the lines of JSON that clients read. Equal pieces are rendered alike. */
export async function renderResults(piece: Uint8Array, inTurn: InTurn): Promise<Buffer> {
  const { lines, numbers } = await inTurn(() => unpack(piece));
  const rendered: (Buffer | Promise<Buffer>)[] = [];
  let at = 0;
  await stepInTurns(lines.length, inTurn, (i) => {
    const { form } = lines[i]!;
    const count = form ? form.count * form.dimensions : 0;
    rendered.push(...renderLine(lines[i]!, numbers.subarray(at, at + count), inTurn));
    at += count;
  });
  return Buffer.concat(await Promise.all(rendered));
}

function unpack(piece: Uint8Array): { lines: readonly StoredLine[]; numbers: Float32Array } {
  const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
  const jsonEnd = lengthBytes + bytes.readUInt32LE();
  // A copy, because the numbers of a Float32Array have to begin at a multiple of four bytes.
  const numbers = new Float32Array(new Uint8Array(bytes.subarray(jsonEnd)).buffer);
  const content = JSON.parse(bytes.toString('utf8', lengthBytes, jsonEnd));
  if (content.format !== format)
    throw new Error(`A newer release has written these results, in format ${content.format}`);
  return { lines: content.lines, numbers };
}

/** Returns the parts of a line of JSON. `numbers` are those of all its vectors. */
function renderLine(
  { id, customId, status, requestId, json, form, error }: StoredLine,
  numbers: Float32Array,
  inTurn: InTurn,
): (Buffer | Promise<Buffer>)[] {
  const start = `{"id":"${id}","custom_id":${JSON.stringify(customId)},"response":`;
  if (error) return [Buffer.from(`${start}null,"error":${JSON.stringify(error)}}\n`)];
  const embeddings = Array.from({ length: form?.count ?? 0 }, (_, i) => ({
    vector: numbers.subarray(i * form!.dimensions, (i + 1) * form!.dimensions),
    tokenCount: 0,
    isCut: false,
  }));
  // Not memoized, so the texts' keys are not needed.
  const body = form
    ? embeddingsBody(
        { ...form, dimensions: undefined, embeddings, keys: embeddings.map(() => ''), memo: noMemo },
        inTurn,
      )
    : Buffer.from(JSON.stringify(json));
  return [
    Buffer.from(`${start}{"status_code":${status},"request_id":"${requestId}","body":`),
    body,
    Buffer.from('},"error":null}\n'),
  ];
}
