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
    for (const family of ['gemma3_text', 'qwen3', 'nomic_bert']) {
      const exported = await write();
      await change(exported, 'config.json', (json) => {
        json.model_type = family;
      });
      assert.match(
        (await logged(exported)).join('\n'),
        /need prompts.* copy config_sentence_transformers\.json/,
      );
      const prompts = await write({ prompts: { query: 'q: ' } });
      await change(prompts, 'config.json', (json) => {
        json.model_type = family;
      });
      assert.deepEqual(await logged(prompts), []);
    }
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

describe('the patterns of tokenizer.json', () => {
  const split = (Regex: string) => ({
    type: 'Split',
    pattern: { Regex },
    behavior: 'Isolated',
    invert: false,
  });
  const replace = (pattern: object, content: string) => ({ type: 'Replace', pattern, content });
  const published = {
    'GPT-2': String.raw`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`,
    'cl100k, Llama 3 and Qwen': String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
    'cl100k with possessive repeats': String.raw`'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s`,
    o200k: String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
    BLOOM: ' ?[^(\\s|[.,!?…。，、।۔،])]+',
    DeepSeek: String.raw`[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
    'digits in groups from the right': String.raw`\p{N}{1,3}(?=(?:\p{N}{3})*(?:\P{N}|$))|(?=(\d{3})+(?!\d))`,
    SMILES: String.raw`(\[[^\]]+]|Br?|Cl?|N|O|S|P|F|I|b|c|n|o|s|p|\(|\)|\.|=|#|-|\+|\\|\/|:|~|@|\?|>>?|\*|\$|\%[0-9]{2}|[0-9])`,
    'classes in classes': String.raw`[\p{Han}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}&&[^\p{Han}]]*[\p{Ll}\p{Lm}&&[^\p{Han}]]+`,
    Gemma: ' ',
    'a choice of letters': '(?i:s|t)x*y*',
    'braces and numbers': String.raw`\{\{|{|a{2}{|x{,3}?|(?:ab){2}+c|(?:a|b)??c`,
  };
  for (const [name, pattern] of Object.entries(published))
    it(`are accepted: ${name}`, async () => {
      const directory = await model({}, { pre_tokenizer: split(pattern) });
      await (await open(directory)).close();
    });

  const hostile = [
    '(a+)+$',
    '(a*)*b',
    '(?:a|a)*$',
    '(a|ab|b)+$',
    '(?:a?b?)*$',
    '((a+)b?){2,}',
    '(?:(?i:a+))+$',
  ];
  for (const pattern of [
    ...hostile,
    '(?<x>[a(]+\\))+',
    '((a{1,99}){1,99}){1,99}',
    '(a{2,}){30}',
    '(?=(\\s*a*)+$)',
    'a*a*[^ab]',
    '(?:(?:a*)a*)b',
    '(?:a*a*b)?',
    'a{1,9999}a{1,9999}b',
    '(?:x|a*)(?:y|a*)b',
    `${'a?'.repeat(30)}${'a'.repeat(30)}`,
    '(?:a+b?)?*c',
    'a+{12}[bc]',
    'a+?{9}b',
    'a{1,5}{30}b',
    'a{1,300}+b',
    '{a*a*a*a*b}',
    '\\x{a*a*a*a*b}',
  ])
    it(`are refused, because a text could keep the library busy for ever: ${pattern}`, async () => {
      const directory = await model(
        {},
        { pre_tokenizer: { type: 'Sequence', pretokenizers: [split(pattern)] } },
      );
      await assert.rejects(open(directory), /tokenizer\.json: the pattern ".*" can backtrack without bound/);
    });

  it('are refused if they refer to a group, or are longer than any that is published', async () => {
    for (const [pattern, why] of [
      ['(a)\\1*b', /refers to a group/],
      ['(?<a>x*)\\g<a>\\g<a>y', /refers to a group/],
      ['(?#[)a*a*a*b(?#])', /has a comment/],
      ['(?x)a*# [\na*a*b# ]', /has a comment/],
      ['(?~a)(?~a)b', /has a comment/],
      ['a'.repeat(10_001), /more than 10000 characters/],
    ] as const)
      await assert.rejects(open(await model({}, { pre_tokenizer: split(pattern) })), why);
  });

  it('are refused if they nest too deeply', async () => {
    const deep = `${'('.repeat(500)}a${')'.repeat(500)}`;
    await assert.rejects(
      open(await model({}, { normalizer: replace({ Regex: deep }, '') })),
      /more than 100 groups/,
    );
  });

  it('may replace characters by a few, and not each by two again and again', async () => {
    const usual = [
      replace({ Regex: ' {2,}' }, ' '),
      replace({ String: '½' }, '1/2'),
      ...['⅓', '⅔', '¼', '¾', '⅛'].map((part) => replace({ String: part }, '1/3')),
      replace({ Regex: "[^\\w\\s']" }, ' , '),
      replace({ String: ' ' }, '▁'),
      { type: 'Prepend', prepend: '▁' },
    ];
    const sequence = (normalizers: object[]) => ({ normalizer: { type: 'Sequence', normalizers } });
    await (await open(await model({}, sequence(usual)))).close();
    for (const pattern of [{ String: 'q' }, { Regex: '(?i)q' }, { Regex: '' }]) {
      const normalizer = sequence(Array.from({ length: 30 }, () => replace(pattern, 'qq')));
      await assert.rejects(open(await model({}, normalizer)), /makes texts longer without bound/);
    }
    const prefix = { normalizer: { type: 'Prepend', prepend: 'a '.repeat(1_000_000) } };
    await assert.rejects(open(await model({}, prefix)), /makes texts longer without bound, by "Prepend"/);
    const once = sequence([replace({ String: 'q' }, 'q'.repeat(1_000_000))]);
    await assert.rejects(open(await model({}, once)), /makes texts longer without bound/);
  });
});
