import { EmbeddingClient } from './embedding-client.ts';
import { type FileJob, groupsOf, requestCharacters } from './job.ts';
import { type FileRow, readRows } from './read-rows.ts';
import { writing } from './write-vectors.ts';

interface Part {
  readonly row: FileRow;
  readonly text: string;
  /** The number of Unicode code points before it. */
  readonly offset: number;
}

const rowsAtATime = { texts: 64, characters: requestCharacters };
const partsInRequest = 16;
/** The most UTF-16 units of a part. The server doesn't count the tokens of texts of more than twice as many. */
const maxUnits = 32_768;

/**
 * Writes the rows of the input as JSON lines, with their texts divided into parts that the model reads to their end. Each
 * part has the fields of its row, `part` and `offset`.
 */
export async function writeParts(job: FileJob, path: string): Promise<void> {
  const client = new EmbeddingClient(job);
  using out = writing(path);
  for await (const rows of groupsOf(readRows(job.input, job.field), rowsAtATime)) {
    const fitting: Part[] = [];
    const left = rows
      .map((row): Part => ({ row, text: row.text, offset: 0 }))
      .flatMap((part) => (part.text.length > maxUnits ? divided(part, maxUnits) : part));
    while (left.length > 0) {
      const parts = left.splice(0, partsInRequest);
      const { sizes, maxTokens } = await client.tokenize(parts.map(({ text }) => text));
      for (const [i, part] of parts.entries()) {
        const { fits, count } = sizes[i]!;
        // A text of one character can't be divided.
        if (fits || part.text.length <= 2) fitting.push(part);
        // Shorter than the limit on average, because tokens are not spread evenly.
        else left.push(...divided(part, (0.9 * part.text.length * maxTokens) / count));
      }
    }
    for (const row of rows) {
      const parts = fitting.filter((one) => one.row === row).sort((a, b) => a.offset - b.offset);
      for (const [part, { text, offset }] of parts.entries())
        out.write(Buffer.from(`${JSON.stringify({ ...row.fields, [job.field]: text, part, offset })}\n`));
    }
  }
}

/** Divides a text into at least two parts of at most `longest` characters, without the blanks around them. */
function divided({ row, text, offset }: Part, longest: number): Part[] {
  const size = Math.min(longest, text.length / 2);
  const parts: Part[] = [];
  for (let at = offset, rest = text; rest !== ''; ) {
    const length = Math.ceil(rest.length / Math.ceil(rest.length / size));
    const own = length < rest.length ? rest.slice(0, endWithin(rest.slice(0, length))) : rest;
    const start = at + own.length - own.trimStart().length;
    if (own.trim() !== '') parts.push({ row, text: own.trim(), offset: start });
    at += [...own].length;
    rest = rest.slice(own.length);
  }
  return parts;
}

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });
/** Functions that return where the last paragraph, sentence, line or word of a text begins, the best first. */
const beginnings: readonly ((text: string) => number)[] = [
  (text) => [...text.matchAll(/\n\s*\n/g)].map(({ index, 0: { length } }) => index + length).at(-1) ?? 0,
  (text) => [...sentences.segment(text.replace(/[\r\n]/g, ' '))].at(-1)!.index,
  (text) => text.lastIndexOf('\n') + 1,
  (text) => text.lastIndexOf(' ') + 1,
];

/** Returns where to end a part that may be as long as `text`: in its second half, at the best place. */
function endWithin(text: string): number {
  const ends = beginnings.values().map((beginning) => beginning(text));
  // A character can have two units.
  const last = /.[\ud800-\udbff]$/s.test(text) ? text.length - 1 : text.length;
  return ends.find((at) => at >= text.length / 2) ?? last;
}
