import assert from 'node:assert/strict';
import { it } from 'node:test';
import { tokenizerJson } from '../../../../src/embeddings/engines/builtin/tokenizer-json.ts';
import { createTokenizer } from '../../../../src/embeddings/engines/onnx/tokenizer.ts';

const characters = ['▁', ...'<s>/extra_oknid123'].map((piece) => [piece, -14] as const);
const reserved = ['�', '<s>', '</s>', 'extra_token_id_1', 'extra_token_id_2', 'extra_token_id_3'];
const json = tokenizerJson([...reserved.map((piece) => [piece, 0] as const), ...characters]);

it('never matches a reserved piece in a text', () => {
  const { ids } = createTokenizer(json).encode(reserved.join(' '), 1_000);
  assert.ok(ids.length > 40 && ids.every((id) => id === 0 || id >= reserved.length));
});

it('refuses a tokenizer that it would not follow exactly', () => {
  for (const change of [
    { normalizer: { type: 'NFC' } },
    { pre_tokenizer: { type: 'Whitespace' } },
    { added_tokens: [{ id: 1, content: '<s>' }] },
    { model: { ...json.model, type: 'WordPiece' } },
    { model: { ...json.model, byte_fallback: true } },
  ]) {
    assert.throws(() => createTokenizer({ ...json, ...change }), /tokenizer\.json: .* not supported/);
  }
});
