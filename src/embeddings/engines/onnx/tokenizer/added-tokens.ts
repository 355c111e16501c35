/** Tokens that are found in a text before any other step, such as special tokens that are spelled out. */
import { isInteger, isObject, type JsonObject } from '../../../../lib/json.ts';
import { classes } from './characters.ts';

export interface AddedToken {
  readonly id: number;
  readonly content: string;
  readonly singleWord: boolean;
  readonly leftStrip: boolean;
  readonly rightStrip: boolean;
  readonly normalized: boolean;
}

/** The id of a token in the text, or the text between tokens. */
export type Section = number | { readonly text: string; readonly start: number };

/** Reads `added_tokens`. `idOf` and `vocabularySize` are the model's. Throws an error that names an invalid token. */
export function readAddedTokens(
  json: unknown,
  idOf: (content: string) => number | undefined,
  vocabularySize: number,
): AddedToken[] {
  const list = json ?? [];
  if (!Array.isArray(list) || !list.every(isObject)) {
    throw new Error('tokenizer.json: "added_tokens" is not a list of objects');
  }
  const tokens = new Map<string, AddedToken>();
  let nextId = vocabularySize;
  for (const one of list) {
    const token = read(one);
    // The reference ignores the stated ids and numbers the tokens itself.
    const id = idOf(token.content) ?? tokens.get(token.content)?.id ?? nextId++;
    if (id !== token.id)
      refuse(token.content, `has the id ${token.id}, but its position gives it the id ${id}`);
    tokens.set(token.content, token);
  }
  return [...tokens.values()];
}

function read(json: JsonObject): AddedToken {
  const { id, content, special = false } = json;
  if (typeof content !== 'string' || content === '') return refuse(String(content), 'has no content');
  if (!isInteger(id)) return refuse(content, 'has no id');
  const flag = (name: string, byDefault = false): boolean => {
    const value = json[name] ?? byDefault;
    return typeof value === 'boolean' ? value : refuse(content, `has an invalid ${JSON.stringify(name)}`);
  };
  return {
    id,
    content,
    singleWord: flag('single_word'),
    leftStrip: flag('lstrip'),
    rightStrip: flag('rstrip'),
    normalized: flag('normalized', !special),
  };
}

function refuse(content: string, reason: string): never {
  throw new Error(`tokenizer.json: the added token ${JSON.stringify(content)} ${reason}`);
}

const endsWithWord = new RegExp(`${classes.word}$`, 'v');
const startsWithWord = new RegExp(`^${classes.word}`, 'v');
const space = new RegExp(classes.whiteSpace, 'v');

interface Node {
  token?: AddedToken;
  readonly next: Map<number, Node>;
}

/** Finds tokens by their spelling: the leftmost first, and the longest of several. */
export class AddedTokens {
  readonly #root: Node = { next: new Map() };
  readonly isEmpty: boolean;

  /** Takes pairs of a token and the spelling to look for. Throws when two spellings are equal. */
  constructor(tokens: readonly (readonly [AddedToken, string])[]) {
    this.isEmpty = tokens.length === 0;
    for (const [token, spelling] of tokens) {
      if (spelling === '') refuse(token.content, 'is empty after normalization');
      let node = this.#root;
      for (let i = 0; i < spelling.length; i++) {
        const unit = spelling.charCodeAt(i);
        const next: Node = node.next.get(unit) ?? { next: new Map() };
        node.next.set(unit, next);
        node = next;
      }
      if (node.token) refuse(token.content, `is ${JSON.stringify(node.token.content)} once normalized`);
      node.token = token;
    }
  }

  /** Yields the sections of the text, none of them empty. Yields undefined now and then during a long search. */
  *sections(text: string): Generator<Section | undefined> {
    if (this.isEmpty) {
      if (text !== '') yield { text, start: 0 };
      return;
    }
    let done = 0;
    for (let at = 0; at < text.length; at++) {
      if (at % 16_384 === 16_383) yield undefined;
      const [token, end] = this.#longestAt(text, at);
      if (!token) continue;
      if (!token.singleWord || isSingleWord(text, at, end)) {
        const start = token.leftStrip ? Math.max(done, startOfSpace(text, at)) : at;
        if (start > done) yield { text: text.slice(done, start), start: done };
        yield token.id;
        done = token.rightStrip ? endOfSpace(text, end) : end;
      }
      at = end - 1;
    }
    if (done < text.length) yield { text: text.slice(done), start: done };
  }

  #longestAt(text: string, start: number): [AddedToken | undefined, number] {
    let found: AddedToken | undefined;
    let end = start;
    let node = this.#root.next.get(text.charCodeAt(start));
    for (let at = start + 1; node; at++) {
      if (node.token) {
        found = node.token;
        end = at;
      }
      node = at < text.length ? node.next.get(text.charCodeAt(at)) : undefined;
    }
    return [found, end];
  }
}

function isSingleWord(text: string, start: number, end: number): boolean {
  return (
    !endsWithWord.test(text.slice(Math.max(0, start - 2), start)) &&
    !startsWithWord.test(text.slice(end, end + 2))
  );
}

function startOfSpace(text: string, end: number): number {
  let start = end;
  while (start > 0 && space.test(text[start - 1]!)) start -= 1;
  return start;
}

function endOfSpace(text: string, start: number): number {
  let end = start;
  while (end < text.length && space.test(text[end]!)) end += 1;
  return end;
}
