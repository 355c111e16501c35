import { fieldsOf, type JsonObject } from '../../small/src/json.ts';

/** Normalizers that are published make a character three times as long at most, and a text by far less. */
const maxGrowth = 100;
const maxDepth = 100;
const maxLength = 10_000;
/** Each option before something that must follow can double the work. */
const maxOptions = 16;
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

const atom = /\\[pP]\{[^}]*\}|\\x\{[\da-fA-F\s]*\}|\\.|\[\^?\]?(?:\\.|\[(?:\\.|[^\]\\])*\]|[^[\]\\])*\]/gsu;
// Any other brace is a character.
const interval = String.raw`\{(?:\d+,?\d*|,\d+)\}`;
const innermost = new RegExp(
  String.raw`\((?:\?(?:[a-z-]*:|<?[=!]|>|<\w+>))?([^()]*)\)((?:[*+?]|${interval})*)`,
  'gi',
);
const character = new RegExp(`${interval}|[^*+?|]`, 'g');
/** With `{` for an interval, and `=` for one that is a number. */
const part = /x[*+?{=]*/g;
// A plus after an interval repeats it. After anything else it is possessive.
const repeatsIn = (parts: readonly string[]): number =>
  parts.join('').match(/x[*+{]|(?<=\{)\+/g)?.length ?? 0;

/** Throws when a match can take more steps than some for each character: see `why` of each refusal. */
function refuseNested(pattern: string): void {
  const refuse = (why: string): never => {
    throw new Error(`the pattern ${JSON.stringify(pattern.slice(0, 500))} ${why}`);
  };
  if (pattern.length > maxLength) refuse(`has more than ${maxLength} characters`);
  const atoms = pattern.replace(atom, (one) => (/^\\[1-9gk]/.test(one) ? refuse('refers to a group') : 'x'));
  // Comments hide what is a class, and an absence repeats without saying so.
  if (/\((?:\*|\?(?:[#~({]|[a-wyz-]*x))/i.test(atoms)) refuse('has a comment, a condition or an absence');
  let rest = `(${atoms})`;
  for (let depth = 0; rest.includes('('); depth++) {
    if (depth === maxDepth) refuse(`has more than ${maxDepth} groups in one another`);
    rest = rest.replace(innermost, (group: string, body: string, repeat: string) => {
      const alternatives = body
        .replace(character, (one) => (one.length === 1 ? 'x' : one.includes(',') ? '{' : '='))
        .split('|')
        .map((alternative) => alternative.match(part) ?? [])
        .map((parts) =>
          parts.every((one) => /^x([*+?{=][?+]?)?$/.test(one))
            ? parts.map((one) => one.replace('=', ''))
            : refuse('can backtrack without bound: it repeats what is repeated'),
        );
      const isChoice = alternatives.length > 1 || alternatives[0]!.some((one) => one !== 'x');
      if (isChoice && !/^(\?[?+]?)?$/.test(repeat))
        refuse('can backtrack without bound: it repeats a choice');
      for (const parts of alternatives) {
        const before = parts.slice(
          0,
          Math.max(
            0,
            parts.findLastIndex((one) => !/^x[*?]/.test(one)),
          ),
        );
        if (repeatsIn(before) > 1 || before.filter((one) => /^x\?/.test(one)).length > maxOptions)
          refuse('can backtrack without bound: it repeats twice before what must follow');
      }
      if (!isChoice) return `x${repeat}`;
      // What a lookaround has matched is not tried in another way.
      const most = /^\(\?(?:<?[=!]|>)/.test(group) ? 1 : 2;
      const repeats = Math.max(1, ...alternatives.map(repeatsIn));
      return (repeat ? 'x*' : 'x+').repeat(Math.min(most, repeats));
    });
  }
}
