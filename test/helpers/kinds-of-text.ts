/** Kinds of text that are hard for tokenizers, each of any length. */
export const kindsOfText: Readonly<Record<string, string>> = {
  words: 'The quick brown fox jumps over the lazy dog. ',
  'one word': 'a',
  'one word of many letters': 'qzxjkvbwpyh',
  spaces: ' ',
  'white space of all kinds': ' \t\r\n\u00a0\u2003\u3000',
  digits: '3141592653589793',
  punctuation: '.,;:!?-()[]{}',
  dots: '.',
  code: 'const f = (x) => { return x?.y[0] ?? "z"; };\n',
  emoji: '😀👩‍👩‍👧🏳️‍🌈',
  ideographs: '漢字仮名交文',
  'rare ideographs': '𠀀𠀁𪚥',
  Korean: '한국어문장 ',
  'Korean in letters': '한국어문장 '.normalize('NFD'),
  Arabic: 'اللغة العربية ',
  'ligatures that unfold': '\ufdfa',
  Thai: 'ภาษาไทยไม่มีเว้นวรรค',
  'combining marks': 'e\u0301\u0316',
  'nothing but marks': '\u0301\u0316',
  'capital sigmas': 'ΟΔΥΣΣΕΥΣ',
  'lone surrogates replaced': '\ufffd',
  'special tokens spelt out': '[CLS]</s><|end|><s>',
  'invisible characters': '\u200b\u200d\ufeff',
  'piece marks': '▁',
  'random Unicode': randomUnicode(4_096),
};

/** A text of this kind with `units` UTF-16 units, or one less if a pair would be cut. */
export function textOfKind(kind: string, units: number): string {
  const unit = kindsOfText[kind];
  if (unit === undefined) throw new Error(`There is no kind of text "${kind}"`);
  const text = unit.repeat(Math.ceil(units / unit.length)).slice(0, units);
  return text.isWellFormed() ? text : text.slice(0, -1);
}

function randomUnicode(count: number): string {
  let state = 1;
  const points = Array.from({ length: count }, () => {
    state = (state * 48_271) % 0x7fff_ffff;
    const point = state % 0x1_1000;
    return point >= 0xd800 && point < 0xe000 ? 0x20 : point;
  });
  return String.fromCodePoint(...points);
}
