import { ServiceError } from '../errors.ts';
import { excerpt } from '../lib/harmless.ts';
import type { BatchEndpoint, BatchFault } from './batch.ts';
import { DigestSet } from './digest-set.ts';
import type { LineSender } from './line.ts';
import { parseLine, type RawLine } from './read-lines.ts';

/** What is wrong with a file, or what it asks for. */
export interface Findings {
  readonly faults: readonly BatchFault[];
  readonly model: string;
  readonly fingerprint: string;
  readonly lines: number;
}

export interface Rules {
  readonly endpoint: BatchEndpoint;
  readonly sender: LineSender;
  readonly maxTexts: number;
  readonly signal: AbortSignal;
}

/** Enough to find what is wrong. A page of batches lists the faults of up to a hundred. */
const maxFaults = 20;

/** Reads a whole file with `linesOf`, or up to `maxFaults` faults. Ends early when the signal aborts. */
export async function validate(
  linesOf: (read: (line: RawLine) => boolean) => AsyncIterable<boolean>,
  { endpoint, sender, maxTexts, signal }: Rules,
): Promise<Findings> {
  const faults: BatchFault[] = [];
  const ids = new DigestSet();
  let lines = 0;
  let isOther = false;
  let line: number | null = null;
  let texts = 0;
  let model: string | undefined;
  let fingerprint = '';
  const add = (code: string, message: string, param: string | null = null) =>
    faults.push({ code, message, param, line });
  const check = (raw: RawLine): void => {
    lines += 1;
    line = raw.number;
    const parsed = parseLine(raw, endpoint);
    if ('code' in parsed) {
      // The first line of a .csv, for example. The other lines would have the same fault.
      isOther =
        lines === 1 && parsed.code === 'invalid_json_line' && !/^\ufeff?\s*\{/.test(String(raw.bytes));
      const beginning = isOther ? 'This is not JSONL. ' : '';
      add(parsed.code, beginning + parsed.message, parsed.param);
      return;
    }
    const { customId, body } = parsed;
    if (!ids.add(customId)) {
      add('duplicate_custom_id', `Another line has the custom_id "${excerpt(customId)}" too`, 'custom_id');
      return;
    }
    try {
      const checked = sender.check(endpoint, body);
      model ??= checked.model;
      fingerprint = checked.fingerprint;
      if (checked.model !== model)
        add('mismatched_model', `All lines must have one model, and the first has "${model}"`, 'body.model');
      texts += checked.texts;
    } catch (reason) {
      if (!(reason instanceof ServiceError)) throw reason;
      const isUnknown = reason.fault === 'unknown model';
      add(isUnknown ? 'model_not_found' : 'invalid_body', reason.message, `body.${reason.param ?? ''}`);
    }
    if (texts > maxTexts) {
      const most = maxTexts.toLocaleString('en-US');
      add(
        'token_limit_exceeded',
        `The lines up to this one have more than ${most} texts, which is the maximum`,
      );
    }
  };
  const isDone = () => isOther || faults.length >= maxFaults || texts > maxTexts || signal.aborted;
  const checkNext = (raw: RawLine): boolean => {
    if (!isDone()) check(raw);
    return isDone();
  };
  for await (const isLast of linesOf(checkNext)) if (isLast) break;
  if (lines === 0) add('empty_file', 'The file has no line');
  return { faults, model: model ?? '', fingerprint, lines };
}
