/**
 * Compares `tokenizer_config.json` with `tokenizer.json`. The library transformers applies the first to the second when
 * it loads a tokenizer. Here only the second is used, so a difference would give other tokens than the reference.
 */
import { fieldsOf, type JsonObject } from '../../small/src/json.ts';

/** A tokenizer's special tokens around a text. */
interface Around {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** With these classes, transformers uses the normalizer of `tokenizer.json` as it is. */
const generalClasses = ['PreTrainedTokenizerFast', 'TokenizersBackend'];
/** These remove a token from the template if the setting is false. Others ignore that, and some name `[CLS]` so. */
const templateClasses = /^(Code)?(Llama|Gemma|Cohere|GPTNeoX)Tokenizer/;

/**
 * Throws when both files state different things about the tokens of a text. A value that is missing or null states
 * nothing.
 */
export function refuseContradictions(config: JsonObject, tokenizer: JsonObject): void {
  refuseNormalizer(config, fieldsOf(tokenizer.normalizer));
  const { type, add_prefix_space: hasSpace } = fieldsOf(tokenizer.pre_tokenizer);
  if (type === 'ByteLevel') {
    refuseOther(config, 'add_prefix_space', hasSpace, '"add_prefix_space" of the pre_tokenizer');
  }
  refuseTemplate(config, tokensAround(tokenizer.post_processor));
  const { direction } = fieldsOf(tokenizer.truncation);
  if (String(config.truncation_side ?? direction).toLowerCase() === 'left') {
    const place = config.truncation_side ? '"truncation_side" of tokenizer_config.json' : '"truncation"';
    throw new Error(
      `${place} cuts long texts on the left, but this service cuts them on the right; change it to "right" if ` +
        'the model was trained so, otherwise the model is not supported',
    );
  }
}

function refuseNormalizer(config: JsonObject, normalizer: JsonObject): void {
  if (normalizer.type !== 'BertNormalizer' || generalClasses.includes(String(config.tokenizer_class))) return;
  const { lowercase, strip_accents: strips, handle_chinese_chars: handlesChinese } = normalizer;
  refuseOther(config, 'do_lower_case', lowercase, '"lowercase" of the normalizer');
  // Without a value of its own, it follows `lowercase`.
  refuseOther(config, 'strip_accents', strips ?? lowercase, '"strip_accents" of the normalizer');
  const ofChinese = '"handle_chinese_chars" of the normalizer';
  refuseOther(config, 'tokenize_chinese_chars', handlesChinese, ofChinese);
}

function refuseTemplate(config: JsonObject, { before, after }: Around): void {
  const removes = templateClasses.test(String(config.tokenizer_class));
  const sides = [
    ['add_bos_token', 'bos_token', before],
    ['add_eos_token', 'eos_token', after],
  ] as const;
  for (const [setting, name, tokens] of sides) {
    const token = fieldsOf(config[name]).content ?? config[name];
    const hasToken = tokens.some((one) => one === token);
    if (typeof token !== 'string' || (hasToken && !removes)) continue;
    refuseOther(config, setting, hasToken, `${JSON.stringify(token)} in the post_processor`);
  }
}

function refuseOther(config: JsonObject, setting: string, actual: unknown, place: string): void {
  const stated = config[setting];
  if (typeof stated !== 'boolean' || typeof actual !== 'boolean' || stated === actual) return;
  throw new Error(
    `${place} is ${actual}, but "${setting}" of tokenizer_config.json is ${stated}; correct the file that ` +
      `differs from the model's training`,
  );
}

function tokensAround(processor: unknown): Around {
  const { type, processors, single, special_tokens: tokens, cls, sep } = fieldsOf(processor);
  if (type === 'Sequence' && Array.isArray(processors)) {
    const each = processors.map(tokensAround);
    return { before: each.flatMap(({ before }) => before), after: each.flatMap(({ after }) => after) };
  }
  if (Array.isArray(cls) && Array.isArray(sep)) return { before: [String(cls[0])], after: [String(sep[0])] };
  const pieces = Array.isArray(single) ? single.map(fieldsOf) : [];
  const at = pieces.findIndex(({ Sequence }) => Sequence !== undefined);
  const namesOf = (some: readonly JsonObject[]): string[] =>
    some.flatMap(({ SpecialToken }) => {
      const id = String(fieldsOf(SpecialToken).id);
      const { tokens: names } = fieldsOf(fieldsOf(tokens)[id]);
      return Array.isArray(names) ? names.map(String) : [id];
    });
  return { before: namesOf(pieces.slice(0, at)), after: namesOf(pieces.slice(at + 1)) };
}
