import { ensureBuiltinModel } from '../src/embeddings/engines/builtin/builtin.ts';
import { JsonFiles } from '../src/embeddings/engines/onnx/json-file.ts';
import { builtinType, createTokenizer, type Tokenizer } from '../src/embeddings/engines/onnx/tokenizer.ts';
import { temporaryDirectory } from '../test/helpers/directory.ts';
import { encoded } from '../test/helpers/encoded.ts';
import { kindsOfText, textOfKind } from '../test/helpers/kinds-of-text.ts';
import { tokenizerJsons } from '../test/helpers/models/tokenizer-jsons.ts';
import type { Benchmark, Measurement } from './benchmark.ts';

const longUnits = 1 << 20;
const shortUnits = 1 << 10;
const rounds = 3;

export const tokenizing: Benchmark = {
  name: 'tokenizing',
  what: 'tokenizing, warm: time per character of a text of 1 MiB ÷ of 1 KiB, worst of all tokenizers and kinds of text',
  bound: { atMost: 1.5 },
  takesLong: true,
  run: measure,
};

async function measure(): Promise<Measurement> {
  using directory = temporaryDirectory();
  const builtin = new JsonFiles(await ensureBuiltinModel(directory.path)).object('tokenizer.json');
  const tokenizers = new Map<string, Tokenizer>();
  for (const [name, json] of Object.entries({ 'built-in': builtin, ...tokenizerJsons })) {
    tokenizers.set(name, createTokenizer(json, name === 'built-in' ? builtinType : undefined));
  }
  // As in a service that has run for a while: V8 has compiled the code.
  for (const tokenizer of tokenizers.values()) warm(tokenizer);
  let worst = { ratio: 0, of: '' };
  let slowest = { nsPerCharacter: 0, of: '' };
  for (const [name, tokenizer] of tokenizers) {
    for (const kind of Object.keys(kindsOfText)) {
      const { ratio, nsPerCharacter } = growth(tokenizer, kind);
      if (ratio > worst.ratio) worst = { ratio, of: `${name}, ${kind}` };
      if (nsPerCharacter > slowest.nsPerCharacter) slowest = { nsPerCharacter, of: `${name}, ${kind}` };
      process.stderr.write(
        `  ${name}, ${kind}: ${ratio.toFixed(2)}, ${nsPerCharacter.toFixed(0)} ns a character\n`,
      );
    }
  }
  const count = tokenizers.size * Object.keys(kindsOfText).length;
  return {
    value: worst.ratio,
    details: `worst of ${count}: ${worst.of}; slowest ${slowest.nsPerCharacter.toFixed(0)} ns a character: ${slowest.of}`,
  };
}

function warm(tokenizer: Tokenizer): void {
  for (const kind of Object.keys(kindsOfText)) {
    for (let i = 1; i <= 64; i++) encoded(tokenizer, textOfKind(kind, 40 * i), 128);
  }
}

/** The same characters as one text, and as texts of 1 KiB. */
function growth(tokenizer: Tokenizer, kind: string): { ratio: number; nsPerCharacter: number } {
  const long = textOfKind(kind, longUnits);
  const short = textOfKind(kind, shortUnits);
  const timesMs = { long: [] as number[], short: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    timesMs.long.push(timeMs(() => encoded(tokenizer, long, 128)));
    timesMs.short.push(
      timeMs(() => {
        for (let i = 0; i < longUnits / shortUnits; i++) encoded(tokenizer, short, 128);
      }),
    );
  }
  // The minimum, because other load on the machine only adds to it.
  const longMs = Math.min(...timesMs.long);
  return { ratio: longMs / Math.min(...timesMs.short), nsPerCharacter: (longMs * 1e6) / longUnits };
}

function timeMs(run: () => void): number {
  const beganMs = performance.now();
  run();
  return performance.now() - beganMs;
}
