import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lastHiddenState, scoreOf, wordPieceIds } from '../../../test/helpers/models/bert-reference.ts';
import { tinyBert } from '../../../test/helpers/models/bert-weights.ts';
import { wordPieces } from '../../../test/helpers/models/wordpiece.ts';
import { writeBertModel } from '../../../test/helpers/models/write-bert-model.ts';
import { untilEnd } from '../../../test/helpers/until-end.ts';
import { type Engine, joinPair } from '../../engine/src/index.ts';
import { ensureInt8Model } from '../src/int8/convert-model.ts';
import type { TokenizedText } from '../src/tokenized-text.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { change, open } from './tiny-model.ts';

const maxTokens = 16;
// A pair has no prompt, even if the files have some.
const prompts = { query: 'query: ', document: 'passage: ' };
// In sizes that the native encoder would compute.
const shape = { width: 64, heads: 4, feedForwardWidth: 128 };
const options = { ...shape, outputs: ['logits'], tokenTypes: true, maxTokens, prompts } as const;
const closing = (engine: Engine) => untilEnd({ [Symbol.asyncDispose]: () => engine.close() });

describe('cross-encoders', async () => {
  const directory = await temporaryDirectory();
  const weights = await writeBertModel(directory, options);
  const engine = (await open(directory)) as Engine<TokenizedText>;
  closing(engine);
  const pieces = wordPieces(tinyBert.vocabularySize);
  /**
   * As the library tokenizers reads a pair: it removes tokens at the end of the longer text, one at a time. Of two that
   * have become equal, the one that was shorter loses the last.
   */
  const read = (query: string, document: string) => {
    const [a, b] = [wordPieceIds(pieces, query).slice(1, -1), wordPieceIds(pieces, document).slice(1, -1)];
    const [shorter, longer] = a.length > b.length ? [b, a] : [a, b];
    while (a.length + b.length + 3 > maxTokens) (longer.length > shorter.length ? longer : shorter).pop();
    const [cls, sep] = [pieces.indexOf('[CLS]'), pieces.indexOf('[SEP]')];
    const ids = [cls, ...a, sep, ...b, sep];
    return { ids, types: ids.map((_, i) => (i < a.length + 2 ? 0 : 1)) };
  };
  const pairs: [string, string][] = [
    ['cat', 'a cat sat'],
    ['cat', 'dog'],
    ['', 'dog'],
    ['dog', ''],
    ['what is a cat', 'a b c d e f g h i j k l m n o p q r s t u v w x y z'],
    ['a b c d e f g h i j k l m n o p q r s t', 'dog'],
    ['a b c d e f g h i j k l m n o p', 'q r s t u v w x y z a b c d e f'],
    ['a b c d e f g h i j k l m n o p q r s t', 'q r s t u v w x y z a b c d e f'],
  ];

  it('the score of a pair is that of the architecture, and both texts are read as its template says', async () => {
    const prepared = await engine.prepare(
      pairs.map((pair) => joinPair(...pair)),
      'document',
    );
    const scores = await engine.run(prepared);
    for (const [i, pair] of pairs.entries()) {
      const { ids, types } = read(...pair);
      assert.deepEqual([...prepared[i]!.ids], ids, String(pair));
      assert.deepEqual([...prepared[i]!.typeIds!], types, String(pair));
      const expected = scoreOf(weights, lastHiddenState(weights, ids, { types }));
      assert.ok(Math.abs(scores[i]![0]! - expected) < 1e-5, `${pair}: ${scores[i]} instead of ${expected}`);
      const [alone] = await engine.run([prepared[i]!]);
      assert.ok(Math.abs(alone![0]! - expected) < 1e-5, `${pair} alone: ${alone}`);
    }
    assert.deepEqual(
      prepared.map(({ isCut }) => isCut),
      [false, false, false, false, true, true, true, true],
    );
  });

  it('a document that is too long to be read whole is cut, and its query is not', async () => {
    const document = 'word '.repeat(400_000);
    const [text] = await engine.prepare([joinPair('cat', document)], 'document');
    assert.equal(text!.tokenCount, maxTokens);
    assert.equal(text!.fullTokenCount, Number.POSITIVE_INFINITY);
    assert.deepEqual([...text!.ids], read('cat', 'word '.repeat(50)).ids);
  });

  it('in int8, scores are close to those of float32, and a pair has the same alone and in a batch', async () => {
    const dataDir = await temporaryDirectory();
    const model = await ensureInt8Model({ directory, dataDir, overrides: {} });
    assert.ok(model.correlation >= 0.99 && model.correlation < 1, String(model.correlation));
    const int8 = await open(model.directory);
    closing(int8);
    assert.equal(int8.model.task, 'rerank');
    assert.match(String(int8.settings.runtime), /^ONNX Runtime, because the native encoder /);
    const prepared = await int8.prepare(
      pairs.map((pair) => joinPair(...pair)),
      'document',
    );
    const together = await int8.run(prepared);
    for (const [i, pair] of prepared.entries()) assert.deepEqual(await int8.run([pair]), [together[i]]);
  });

  it('a classifier with several classes is refused', async () => {
    const several = await temporaryDirectory();
    await writeBertModel(several, { outputs: ['last_hidden_state'] });
    await change(several, 'config.json', (config) => {
      config.architectures = ['BertForSequenceClassification'];
    });
    await change(several, 'modules.json', (modules) => modules.splice(0));
    await assert.rejects(
      open(several),
      /one score for each pair of texts, but "last_hidden_state" has the shape/,
    );
  });
});
