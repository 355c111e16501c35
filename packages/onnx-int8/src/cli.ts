import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { convertGraph } from './convert-graph.ts';

const help = `Usage: onnx-int8 <model.onnx> [<output.onnx>]

Converts the products with constant float32 matrices to row-wise int8. The output is <model>_int8.onnx unless you name
it, and its tensors are in a file beside it with _data at the end of its name. The original stays as it is.`;

/** Runs the command. Returns the exit code: 0, 1 for a graph that can't be converted, or 2 for wrong arguments. */
export async function main(args: readonly string[]): Promise<number> {
  const options = { help: { type: 'boolean', short: 'h' } } as const;
  let parsed: { values: { help?: boolean | undefined }; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    console.error(`onnx-int8: ${(error as Error).message}`);
    return 2;
  }
  const [from, to = from?.replace(/(\.onnx)?$/, '_int8.onnx'), ...others] = parsed.positionals;
  if (parsed.values.help || from === undefined || to === undefined || others.length > 0 || to === from) {
    (parsed.values.help ? console.log : console.error)(help);
    return parsed.values.help ? 0 : 2;
  }
  try {
    const { products } = await convertGraph({ from, to });
    const bytes = (await stat(to)).size + (await stat(`${to}_data`)).size;
    console.log(`${to}: ${products} products in int8, ${(bytes / 1e6).toFixed(1)} MB`);
    return 0;
  } catch (error) {
    const reason = error instanceof RangeError ? 'not an ONNX graph, or not all of one' : error;
    console.error(`onnx-int8: ${from}: ${reason instanceof Error ? reason.message : reason}`);
    return 1;
  }
}
