import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { change, type Json, open, write } from './tiny-model.ts';

/** A model whose two tokenizer files have these additional values. */
async function model(config: Json, tokenizer: Json = {}): Promise<string> {
  const directory = await write();
  await change(directory, 'tokenizer_config.json', (json) => Object.assign(json, config));
  await change(directory, 'tokenizer.json', (json) => Object.assign(json, tokenizer));
  return directory;
}

const bert = { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true };
const lowercasing = { ...bert, strip_accents: null, lowercase: true };
const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true };
const spaces = { type: 'WhitespaceSplit' };
const template = (...names: string[]) => ({
  type: 'TemplateProcessing',
  single: names.map((id) =>
    id === '$A' ? { Sequence: { id: 'A', type_id: 0 } } : { SpecialToken: { id, type_id: 0 } },
  ),
  pair: [],
  special_tokens: Object.fromEntries(
    names.filter((id) => id !== '$A').map((id) => [id, { id, ids: [2], tokens: [id] }]),
  ),
});
const llama = { tokenizer_class: 'LlamaTokenizerFast', bos_token: '[CLS]', eos_token: { content: '[SEP]' } };

describe('tokenizer_config.json', () => {
  const contradictions: [string, Json, Json, RegExp][] = [
    [
      'lowercasing',
      { do_lower_case: false },
      { normalizer: lowercasing },
      /tokenizer\.json: "lowercase" of the normalizer is true, but "do_lower_case" of tokenizer_config\.json is false/,
    ],
    [
      'accents, which follow lowercasing',
      { do_lower_case: true, strip_accents: false },
      { normalizer: lowercasing },
      /"strip_accents" of the normalizer is true, but "strip_accents" of tokenizer_config\.json is false/,
    ],
    [
      'Chinese characters',
      { tokenize_chinese_chars: false },
      { normalizer: lowercasing },
      /"handle_chinese_chars" of the normalizer is true, but "tokenize_chinese_chars" .* is false/,
    ],
    [
      'the space before a text',
      { add_prefix_space: true },
      { pre_tokenizer: byteLevel },
      /"add_prefix_space" of the pre_tokenizer is false, but "add_prefix_space" .* is true/,
    ],
    [
      'an end token that is missing',
      { ...llama, add_eos_token: true },
      { post_processor: template('[CLS]', '$A') },
      /"\[SEP\]" in the post_processor is false, but "add_eos_token" .* is true/,
    ],
    [
      'a first token that is missing, for any class',
      { bos_token: '[CLS]', add_bos_token: true },
      { post_processor: { type: 'Sequence', processors: [template('$A', '[SEP]')] } },
      /"\[CLS\]" in the post_processor is false, but "add_bos_token" .* is true/,
    ],
    [
      'an end token that a class removes',
      { ...llama, add_eos_token: false },
      { post_processor: template('[CLS]', '$A', '[SEP]') },
      /"\[SEP\]" in the post_processor is true, but "add_eos_token" .* is false/,
    ],
    [
      'the side of the cut',
      { truncation_side: 'left' },
      {},
      /"truncation_side" of tokenizer_config\.json cuts long texts on the left/,
    ],
    [
      'the side of the cut, in tokenizer.json alone',
      {},
      { truncation: { direction: 'Left', max_length: 8, strategy: 'LongestFirst', stride: 0 } },
      /"truncation" cuts long texts on the left/,
    ],
  ];
  for (const [what, config, tokenizer, message] of contradictions) {
    it(`stops the start if it contradicts tokenizer.json: ${what}`, async () => {
      const directory = await model(config, tokenizer);
      await assert.rejects(open(directory), (reason: Error) => {
        assert.match(reason.message, message);
        assert.ok(reason.message.startsWith(`${directory}/tokenizer.json: `), reason.message);
        return true;
      });
    });
  }

  const agreements: [string, Json, Json?][] = [
    ['null and missing values', { do_lower_case: null, strip_accents: null, add_eos_token: null }],
    [
      'the values of all-MiniLM-L6-v2',
      { do_lower_case: true, strip_accents: null, tokenize_chinese_chars: true },
    ],
    ['accents as they follow from lowercasing', { strip_accents: true }, { normalizer: lowercasing }],
    [
      'a class that uses the normalizer as it is',
      { tokenizer_class: 'PreTrainedTokenizerFast', do_lower_case: false },
      { normalizer: lowercasing },
    ],
    [
      'a normalizer that transformers does not change',
      { do_lower_case: true },
      { normalizer: { type: 'NFC' } },
    ],
    [
      'a pre_tokenizer that transformers does not change',
      { add_prefix_space: true },
      { pre_tokenizer: spaces },
    ],
    [
      'the template of Qwen3-Embedding',
      { tokenizer_class: 'Qwen2Tokenizer', add_bos_token: false, bos_token: null, eos_token: '<|im_end|>' },
      { post_processor: template('$A', '[SEP]') },
    ],
    [
      'a first token that DeBERTa has in spite of the setting',
      { tokenizer_class: 'DebertaTokenizer', bos_token: '[CLS]', add_bos_token: false },
    ],
    ['both tokens', { ...llama, add_bos_token: true, add_eos_token: true }],
    ['a cut on the right', { truncation_side: 'right' }],
  ];
  for (const [what, config, tokenizer] of agreements) {
    it(`does not stop the start if both files agree: ${what}`, async () => {
      await (await open(await model(config, tokenizer))).close();
    });
  }
});

it('a start refuses a model trained for dot products, unless it scales vectors itself or its file says "cosine"', async () => {
  const trainedFor = async (similarity: string, normalize: boolean) => {
    const directory = await write({ normalize });
    await change(directory, 'config_sentence_transformers.json', (json) => {
      json.similarity_fn_name = similarity;
    });
    await (await open(directory)).close();
  };
  await assert.rejects(
    trainedFor('dot', false),
    /config_sentence_transformers\.json has .*"dot".* such as multi-qa-mpnet-base-cos-v1.* copy of this directory with "cosine" there$/,
  );
  await trainedFor('dot', true);
  await trainedFor('cosine', false);
});

describe('the log of a start', () => {
  const logged = async (directory: string, overrides = {}) => {
    const lines: string[] = [];
    await (await open(directory, overrides, (line) => lines.push(line))).close();
    return lines;
  };

  it('is empty for a model without doubts', async () => {
    assert.deepEqual(await logged(await write()), []);
  });

  it('warns of a model that needs prompts and has none', async () => {
    const directory = await write();
    await change(directory, 'config.json', (json) => {
      json._name_or_path = 'intfloat/multilingual-e5-small';
    });
    assert.match(
      (await logged(directory)).join('\n'),
      /^model tiny: .* need prompts.*EMBEDDING_QUERY_PROMPT/,
    );
    assert.deepEqual(await logged(directory, { queryPrompt: 'query: ' }), []);
  });

  it('lists the prompts of a file that has none for queries and documents', async () => {
    const prompts = { STS: 'same: ', s2p_query: 'find: ' };
    const lines = await logged(await write({ prompts }));
    assert.match(lines.join('\n'), /^model tiny: .* name them as input_type: STS, s2p_query$/);
    assert.deepEqual(await logged(await write({ prompts: { ...prompts, query: 'ask: ' } })), []);
  });

  it('warns of the last token if no token ends a text', async () => {
    const directory = await write({ pooling: 'lasttoken' });
    assert.deepEqual(await logged(directory), []);
    await change(directory, 'tokenizer.json', (json) => {
      json.post_processor = template('[CLS]', '$A');
    });
    assert.match((await logged(directory)).join('\n'), /appends no token/);
  });
});
