import { fieldsOf, type JsonObject } from '../../small/src/json.ts';

/** Normalizers that are published make a character three times as long at most, and a text by far less. */
const maxGrowth = 100;
const maxDepth = 100;
const ascii = String.fromCharCode(...Array(0x7f).keys());

/**
 * Throws when a pattern of a `tokenizer.json` backtracks without bound, or when its normalizer makes a text longer without
 * bound. The library can't be stopped, and ends the process when it gives up.
 */
export function refuseUnbounded({ normalizer, pre_tokenizer }: JsonObject): void {
  let text = ascii + JSON.stringify(normalizer ?? '').slice(0, 2_000);
  const longest = maxGrowth * text.length;
  JSON.stringify([normalizer, pre_tokenizer], (_key, value) => {
    const { type, pattern, prepend, content = prepend } = fieldsOf(value);
    const { Regex, String: literal } = fieldsOf(pattern);
    if (Regex !== undefined) refuseNested(String(Regex));
    if (type !== 'Replace' && type !== 'Prepend') return value;
    const part = typeof literal === 'string' ? literal : regularExpression(String(Regex ?? '^'));
    let found = 0;
    text.replaceAll(part, () => String(found++));
    const { length } = String(content);
    if (length > maxGrowth || text.length + found * length > longest)
      throw new Error(`the normalizer makes texts longer without bound, by "${type}"`);
    text = text.replaceAll(part, () => String(content));
    return value;
  });
}

/** What this language doesn't read as a pattern stands for every character. */
function regularExpression(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'gu');
  } catch {
    return /./gsu;
  }
}

const atom = /\\[pP]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|\[(?:\\.|[^\]\\])*\]|[^[\]\\])*\]/gsu;
const innermost = /\((?:\?(?:[a-z-]*:|<?[=!]|>|<\w+>))?([^()]*)\)([*+]|\{[^}]*\})?/gi;
const choice = /[*+?|]|\{\d*,\d*\}/;

/** Throws when a group is repeated in which there is a choice: a repeat, an option or an alternative. */
function refuseNested(pattern: string): void {
  const refuse = (why: string) => {
    throw new Error(`the pattern ${JSON.stringify(pattern.slice(0, 500))} ${why}`);
  };
  let rest = pattern.replace(atom, 'x');
  for (let depth = 0; rest.includes('('); depth++) {
    if (depth === maxDepth) refuse(`has more than ${maxDepth} groups in one another`);
    rest = rest.replace(innermost, (_group, body: string, repeat?: string) => {
      if (repeat && choice.test(body)) refuse('can backtrack without bound: it repeats a choice');
      return choice.test(body) ? 'x+' : 'x';
    });
  }
}
