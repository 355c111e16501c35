/** Tokenizers from a Hugging Face `tokenizer.json`, with the ids of the reference, the Rust library `tokenizers`. */
import type { JsonObject } from '../../../../lib/json.ts';
import { TokenCollector, type TokenLimits, type Tokens } from '../token-collector.ts';
import { AddedTokens, readAddedTokens } from './added-tokens.ts';
import { createModel } from './model.ts';
import { createNormalizer } from './normalizer.ts';
import { Part } from './part.ts';
import { createPreTokenizer } from './pre-tokenizer.ts';
import type { PreTokenizer } from './split.ts';
import { type Normalizer, sequence } from './steps.ts';
import { readTemplate, type Template } from './template.ts';
import { longWordUnits, type TokenModel } from './token-model.ts';

export class Pipeline {
  readonly #normalize: Normalizer;
  readonly #preTokenize: PreTokenizer;
  readonly #model: TokenModel;
  readonly #template: Template;
  readonly #spelledOut: AddedTokens;
  readonly #normalized: AddedTokens;

  /** Throws an error that names the feature of `json` that can't be reproduced exactly. */
  constructor(json: JsonObject) {
    const { normalizer, pre_tokenizer: preTokenizer } = json;
    if (json.version !== undefined && json.version !== '1.0') {
      throw new Error(`tokenizer.json: the version ${JSON.stringify(json.version)} is not supported`);
    }
    this.#normalize = normalizer ? createNormalizer(new Part('normalizer', normalizer)) : sequence([]);
    refuseFirst(normalizer, preTokenizer);
    this.#preTokenize = preTokenizer
      ? createPreTokenizer(new Part('pre_tokenizer', preTokenizer))
      : (text) => [text];
    this.#model = createModel(json.model);
    this.#template = readTemplate(json.post_processor);
    const added = readAddedTokens(
      json.added_tokens,
      (content) => this.#model.idOf(content),
      this.#model.vocabularySize,
    );
    this.#spelledOut = new AddedTokens(
      added.filter((token) => !token.normalized).map((token) => [token, token.content]),
    );
    this.#normalized = new AddedTokens(
      added
        .filter((token) => token.normalized)
        .map((token) => [token, wholeOf(this.#normalize(token.content))]),
    );
  }

  *encode(text: string, { maxTokens, maxCounted }: TokenLimits): Generator<void, Tokens> {
    const { before, after } = this.#template;
    const specialCount = before.length + after.length;
    const collector = new TokenCollector({
      maxTokens: Math.max(0, maxTokens - specialCount),
      maxCounted: maxCounted - specialCount,
    });
    yield* this.#sections(text.toWellFormed(), collector);
    const { ids, fullTokenCount } = collector.tokens;
    return {
      ids: [...before, ...ids, ...after].slice(0, maxTokens),
      fullTokenCount: fullTokenCount + specialCount,
    };
  }

  *#sections(text: string, tokens: TokenCollector): Generator<void> {
    for (const section of this.#spelledOut.sections(text)) {
      if (section === undefined) yield;
      else if (typeof section === 'number') tokens.add(section);
      else {
        const normalized = yield* this.#normalize(section.text);
        yield* this.#normalizedSections(normalized, section.start === 0, tokens);
      }
      if (tokens.isFull) return;
    }
  }

  *#normalizedSections(text: string, isStart: boolean, tokens: TokenCollector): Generator<void> {
    for (const section of this.#normalized.sections(text)) {
      if (section === undefined) yield;
      else if (typeof section === 'number') tokens.add(section);
      else yield* this.#words(section.text, isStart && section.start === 0, tokens);
      if (tokens.isFull) return;
    }
  }

  *#words(text: string, isStart: boolean, tokens: TokenCollector): Generator<void> {
    let worked = 0;
    for (const word of this.#preTokenize(text, isStart)) {
      if (word === undefined || word.length > longWordUnits) yield;
      if (word === undefined) continue;
      if (word.length > longWordUnits) yield* this.#model.addLong(word, tokens);
      else this.#model.add(word, tokens);
      if (tokens.isFull) return;
      worked += word.length + 1;
      if (worked >= longWordUnits) {
        worked = 0;
        yield;
      }
    }
  }
}

function wholeOf(steps: Generator<void, string>): string {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Normalizers after which the reference checks where in the original text the first character came from. */
const removingStart = /"type":"(BertNormalizer|Strip|StripAccents)"|"content":""/;

function refuseFirst(normalizer: unknown, preTokenizer: unknown): void {
  const removing = removingStart.exec(JSON.stringify(normalizer) ?? '');
  if (!removing || !JSON.stringify(preTokenizer ?? null).includes('"prepend_scheme":"first"')) return;
  throw new Error(
    `tokenizer.json: pre_tokenizer "Metaspace": "prepend_scheme" is "first" after a normalizer that may remove the start`,
  );
}
