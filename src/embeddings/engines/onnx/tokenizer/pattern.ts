/**
 * Translates regular expressions from Oniguruma, which the reference uses, to JavaScript. Rejects syntax that could
 * have a different meaning.
 */
import { classes, onigurumaWord, propertyClass } from './characters.ts';

/** Returns the expression with the flags `gv`. Throws when it can't be translated exactly. */
export function oniguruma(source: string): RegExp {
  const translated = new Translation(source).result;
  const expression = new RegExp(translated, 'gv');
  if (new RegExp(`^(?:${translated})$`, 'v').test('')) throw new Error('it matches an empty text');
  return expression;
}

/** Returns an expression that matches a literal text. */
export const literal = (text: string): RegExp => new RegExp([...text].map(escaped).join(''), 'gv');

const escaped = (character: string): string =>
  /^[a-zA-Z0-9]$/.test(character) ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`;

const controls: Record<string, string> = {
  n: '\n',
  r: '\r',
  t: '\t',
  f: '\f',
  v: '\v',
  e: '\x1b',
  a: '\x07',
};

class Translation {
  readonly result: string;
  readonly #source: string;
  #at = 0;
  #groups = 0;

  constructor(source: string) {
    this.#source = source;
    this.result = this.#alternatives(false);
    if (this.#at < source.length) this.#fail(')');
  }

  #alternatives(ignoresCase: boolean): string {
    let made = '';
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') {
      if (this.#takes(/\|/y)) made += '|';
      else made += this.#quantified(this.#atom(ignoresCase));
    }
    return made;
  }

  #quantified(atom: string): string {
    const quantifier = this.#takes(/[*+?]|\{\d+(,\d*)?\}/y);
    if (!quantifier) return atom;
    const isBraced = quantifier.startsWith('{');
    if (this.#takes(/\?/y)) return isBraced ? this.#fail('a lazy count') : `${atom}${quantifier}?`;
    if (!this.#takes(/\+/y)) {
      // Oniguruma applies a second quantifier to the first.
      return /[*{]/.test(this.#source[this.#at] ?? '') ? this.#fail('two quantifiers') : atom + quantifier;
    }
    if (isBraced) return this.#fail('two quantifiers');
    // A lookahead emulates a possessive quantifier: neither is backtracked into.
    const name = `p${this.#groups++}`;
    return `(?:(?=(?<${name}>${atom}${quantifier}))\\k<${name}>)`;
  }

  #atom(ignoresCase: boolean): string {
    const open = this.#takes(/\((\?(i?:|=|!|<=|<!))?/y);
    if (open) {
      const inside = this.#alternatives(ignoresCase || open === '(?i:');
      if (!this.#takes(/\)/y)) this.#fail('(');
      return `${open === '(' ? '(?:' : open}${inside})`;
    }
    if (this.#takes(/\./y)) return '[^\\n]';
    if (this.#source[this.#at] === '[' || this.#source[this.#at] === '\\') {
      if (ignoresCase) this.#fail('a class that ignores case');
      return this.#takes(/\[/y) ? this.#class() : this.#escape('byItself');
    }
    return escaped(this.#takes(/[^\\[\](){}|*+?^$.]/uy) || this.#fail(this.#source[this.#at]!));
  }

  #class(): string {
    let made = this.#takes(/\^/y) ? '[^' : '[';
    if (this.#source[this.#at] === ']') this.#fail('[]');
    while (!this.#takes(/\]/y)) {
      if (this.#source.startsWith('&&', this.#at) || this.#source[this.#at] === '[')
        this.#fail('a set in a class');
      const from = this.#member();
      const isRange = /-[^\]]/y;
      isRange.lastIndex = this.#at;
      if (from.length > 0 && !from.startsWith('[') && isRange.test(this.#source)) {
        this.#at += 1;
        const to = this.#member();
        if (to.startsWith('[')) this.#fail('a range');
        made += `${from}-${to}`;
      } else made += from;
    }
    return `${made}]`;
  }

  #member(): string {
    if (this.#source[this.#at] === '\\') return this.#escape('inClass');
    const point = this.#source.codePointAt(this.#at);
    if (point === undefined) return this.#fail('[');
    this.#at += point > 0xffff ? 2 : 1;
    return escaped(String.fromCodePoint(point));
  }

  #escape(place: keyof typeof onigurumaWord): string {
    const property = this.#takes(/\\[pP]\{\^?\w+\}/y);
    if (property) {
      const [, sign, name] = /\\([pP])\{(\^?\w+)\}/.exec(property)!;
      const made = propertyClass(name!) ?? this.#fail(property);
      return sign === 'p' ? made : `[^${made}]`;
    }
    const hexadecimal = this.#takes(/\\x\{[0-9a-fA-F]{1,6}\}|\\x[0-7][0-9a-fA-F]|\\u[0-9a-fA-F]{4}/y);
    if (hexadecimal) return `\\u{${hexadecimal.replace(/[^0-9a-fA-F]/g, '')}}`;
    const short = this.#takes(/\\[sSdDwW]/y);
    if (short) {
      const made = { s: classes.whiteSpace, d: propertyClass('Nd')!, w: onigurumaWord[place] }[
        short[1]!.toLowerCase()
      ]!;
      return short[1] === short[1]!.toLowerCase() ? made : `[^${made}]`;
    }
    const control = this.#takes(/\\[nrtfvea]/y);
    if (control) return escaped(controls[control[1]!]!);
    // A letter or digit after a backslash can have other meanings.
    const other = this.#takes(/\\[^a-zA-Z0-9]/uy) || this.#fail(this.#source.slice(this.#at, this.#at + 2));
    return escaped(other.slice(1));
  }

  /** Consumes and returns what `pattern` matches at the current position, or returns an empty string. */
  #takes(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [taken = ''] = pattern.exec(this.#source) ?? [];
    this.#at += taken.length;
    return taken;
  }

  #fail(what: string): never {
    throw new Error(`${JSON.stringify(what)} in it may mean something else here`);
  }
}
