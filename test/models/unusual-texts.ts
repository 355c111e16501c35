/** Texts that are hard for tokenizers, the same each time. */
import { kindsOfText, textOfKind } from '../helpers/kinds-of-text.ts';

const samples = [
  "The quick brown fox doesn't jump over the lazy dog, she'll say: it's 3.14159 or 1,000,000!",
  "ISN’T IT? I'M SURE; WE'VE SEEN THEY'RE ſo — “quoted” … naïve café Ångström ﬁne ﬃ Straße İstanbul",
  'Die Würde des Menschen ist unantastbar. Falsches Üben von Xylophonmusik quält jeden größeren Zwerg.',
  'Voix ambiguë d’un cœur qui, au zéphyr, préfère les jattes de kiwis.',
  'Tiếng Việt có nhiều dấu thanh: ậ ế ỗ ữ ợ ằ ẵ',
  'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. ΟΔΥΣΣΕΥΣ ΚΑΙ ΣΟΦΟΣ ΑΣ Σ',
  'Съешь же ещё этих мягких французских булок, да выпей чаю. Ёлка Й',
  'עטלף אבק נס דרך מזגן שהתפוצץ כי חם. שָׁלוֹם',
  'نص حكيم له سر قاطع وذو شأن عظيم. ﷺ ﷽ لا ﻻ ۱۲۳ ٤٥٦ مُحَمَّد',
  'ऋषियों को सताने वाले दुष्ट राक्षसों का क्षेत्र। क्‍ष १२३ क़',
  'আমার সোনার বাংলা, আমি তোমায় ভালোবাসি। ড়',
  'தமிழ் மொழி கொ ஸ்ரீ',
  'తెలుగు భాష క్ష',
  'ಕನ್ನಡ ನಾಡು ಕೊ',
  'മലയാളം ഭാഷ ൻ ൎക',
  'සිංහල ශ්‍රී',
  'ગુજરાતી',
  'ਪੰਜਾਬੀ',
  'ภาษาไทยไม่มีเว้นวรรค น้ำ กำลัง',
  'ພາສາລາວ ນ້ຳ',
  'မြန်မာဘာသာ',
  'ភាសាខ្មែរ',
  'བོད་སྐད། གཱི',
  'ქართული ენა ᲥᲐᲠᲗᲣᲚᲘ',
  'Հայերեն լեզու և',
  'አማርኛ ቋንቋ፡፡',
  'ᏣᎳᎩ ꮳꮃꭹ',
  'ᐃᓄᒃᑎᑐᑦ',
  'ᠮᠣᠩᠭᠣᠯ',
  'ⵜⴰⵎⴰⵣⵉⵖⵜ',
  'ߒߞߏ',
  'ꦧꦱꦗꦮ',
  'ᬩᬮᬶ',
  '漢字仮名交じり文。日本語のテキスト、カタカナ ｶﾀｶﾅ ﾊﾟﾋﾟﾌﾟ ｶﾞｷﾞ が ガ',
  '我能吞下玻璃而不伤身体。繁體中文：龍龜',
  '𠀀𠀁𪚥 㐀 豈更車 丽丸乁 〇 々',
  '한국어 문장입니다. 각',
  'ㄱㅏ ㅎㅏㄴ ﾡￂ',
  '𐌰𐍄𐍄𐌰 𐎀𐎁 𓀀𓁐 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝟘𝟙𝟚 ⒈ ① ㍍ ㋿ Ⅷ ½ ² ™ № ℡',
  '😀👩‍👩‍👧🏳️‍🌈👍🏽🇩🇪🇯🇵❤️☎️1️⃣ ©️ 🫠 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🤷🏻‍♀️',
  'const f = (x) => { return x?.y[0] ?? "z"; };\n\tif (a && b) {}\r\n',
  'def f(x):\n    return x ** 2  # ^2\n\n\n',
  '<p class="a">&amp;&lt; https://example.com/a_b?c=d&e=%20#f</p>',
  '$ € £ ¥ ₿ ± × ÷ ≠ ≤ ∞ ∑ √ ∂ ← → ↔ ␀',
  'a\u0301 e\u0301\u0316 \u0301 o\u0308\u0304 q\u0307\u0323 A\u030a ﬁ\u0301 ½\u0301 가\u11a8 \u1100\u1161\u11a8 か\u3099 ﾊ\u309a',
  'zero\u200bwidth\u200d joiner\u200c \u2060 \ufeff bom \u00ad soft \u202e rtl \u2066 \u061c',
  'a\u0000b\u0001c\u0008\u000b\u000c\u001b\u007f\u0085\u009f\ue000\u{f0000}\u{10ffff}\ufffd\uffff',
  ' \t\r\n\u00a0\u1680\u2000\u2003\u2007\u2028\u2029\u202f\u205f\u3000 x  y   z    \n\n  \n a',
  '[CLS] [SEP][MASK] [UNK] <s> </s> <unk><pad> <mask>  <mask>x <|endoftext|> <|begin_of_text|> <0x0A> ▁ ▁▁a a▁b',
  '[Alone] x[Alone]y [Alone]. Right  Right x left [left]  [left] ab abc abcd xab ab-ab éb é bé the  the theme THE the',
  "``quoted'' --- ... !!! ??? ((())) [[]] {{}} ___ *** ~~~ \\\\ // || && == => <-",
  '᠎ ᭎ ᭏ ᭽ ॶ ੶ ؝ ࢗ ࣊ ࡿ 𑍴 𞀏 𞤊 𞥃 𐵩 𑤸 𑤸 𐗒\u0307 𖵩 ꟎ ꟲ Ꟍ 𐞃 𞀰 🯰 ꭩ ࢏ ᫝',
  'ʕ ʔ ǅ ǈ ꙮ ª º ⁴ ₅ ٪ ៘ ⸎ 〰 ・ ･ ゛ ゜ ー',
];

const reserved = [
  '[CLS]',
  '[MASK]',
  '<s>',
  '</s>',
  '<unk>',
  '<mask>',
  '<|endoftext|>',
  '[Alone]',
  '[left]',
  'Right',
  'ab',
  'the',
];
const joints = ['', '', ' ', '  ', '\n', '\u200d', '\u0301', '.', '▁', '\u3000', '\t', "'s"];
const lettersOfTies = [...'aaaabbbccdde '];
const charactersPerText = 120;

export function unusualTexts(): string[] {
  const random = randomFrom(20_261_122);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const repeat = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
  const words = samples.flatMap((sample) => sample.split(' '));
  const part = (): string => {
    const sample = [...pick(samples)];
    const start = Math.floor(random() * sample.length);
    return sample.slice(start, start + 1 + Math.floor(random() * 12)).join('');
  };
  const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;
  return [
    '',
    ...samples,
    ...samples.flatMap((sample) => [sample.toUpperCase(), sample.toLowerCase(), ` ${sample} `]),
    ...samples.flatMap((sample) => forms.map((form) => sample.normalize(form))),
    ...Object.keys(kindsOfText).flatMap((kind) => [
      textOfKind(kind, 7),
      textOfKind(kind, 300),
      textOfKind(kind, 3_000),
    ]),
    ...repeat(600, () => repeat(1 + Math.floor(random() * 12), () => pick(words)).join(pick(joints))),
    ...repeat(500, () => repeat(1 + Math.floor(random() * 8), () => part() + pick(joints)).join('')),
    ...repeat(200, () => repeat(2 + Math.floor(random() * 8), () => pick(reserved) + pick(joints)).join('')),
    ...repeat(300, () => repeat(3 + Math.floor(random() * 60), () => pick(lettersOfTies)).join('')),
    ...repeat(60, () => repeat(20, () => String.fromCodePoint(pointFrom(random))).join(pick(['', ' ', 'a']))),
    ...everyCharacter(),
  ].map((text) => text.toWellFormed());
}

/** Every assigned character except ideographs of the supplementary planes and private ones, each between letters. */
function everyCharacter(): string[] {
  const assigned = /[^\p{Cn}\p{Co}\p{Cs}]/v;
  const texts: string[] = [];
  // The beginning of such a text, so that tokenizers aren't trained on it.
  let text = '\u0001';
  let count = 0;
  for (let point = 1; point < 0xe0200; point++) {
    if (point === 0x3400 || point === 0x4e00) point += 0x1900;
    if (point === 0x20010) point = 0x2f800;
    if (point === 0x2fa20) point = 0xe0000;
    const character = String.fromCodePoint(point);
    if (!assigned.test(character)) continue;
    text += `${character}x`;
    if (++count % charactersPerText === 0) {
      texts.push(text);
      text = '\u0001';
    }
  }
  return [...texts, text];
}

function pointFrom(random: () => number): number {
  const point = 1 + Math.floor(random() ** 2 * 0x1_ffff);
  return point >= 0xd800 && point < 0xe000 ? 0x20 : point;
}

/** A generator by Park and Miller. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 0x7fff_ffff;
    return state / 0x7fff_ffff;
  };
}
