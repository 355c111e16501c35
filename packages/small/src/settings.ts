import { isObject } from './json.ts';

/**
 * An invalid value in the environment or a settings file. The message is one line that names the setting, the fault and
 * an example.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reports whether a header can hold the text. It says nothing about spaces: no secret has any. */
export const isHeaderValue = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);
export const notAHeaderValue = 'has characters that are not allowed in a header';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Throws a ConfigError. Give it the value only if that is no secret: errors of the environment repeat it. */
type Refuse = (fault: string, value?: string) => never;

/** What a setting can be, in the environment and in settings files. */
export interface Kind<V> {
  readonly type: 'text' | 'exact text' | 'choice' | 'number' | 'whole number';
  /** The value of a setting that is missing or empty. */
  readonly unset: V;
  /** The same, as it would be written; null: nothing. */
  readonly default: string | number | null;
  readonly example: string | number;
  readonly parse: (written: string, refuse: Refuse) => V;
}

/** A setting of the environment. A secret can also be in a file: the variable with `_FILE` at the end has its path. */
export interface Setting<V> extends Kind<V> {
  readonly name: string;
  readonly isSecret: boolean;
}

export type SettingValues<T> = { readonly [F in keyof T]: T[F] extends Kind<infer V> ? V : never };

export const setting = <V>(name: string, kind: Kind<V>, isSecret = false): Setting<V> => ({
  ...kind,
  name,
  isSecret,
});

export const secret = <V>(name: string, kind: Kind<V>): Setting<V> => setting(name, kind, true);

/** A text that `parse` checks or converts. */
export const parsed = <V, D extends V | null>(
  unset: D,
  example: string,
  parse: Kind<V>['parse'],
): Kind<V | D> => ({
  type: 'text',
  unset,
  default: typeof unset === 'string' ? unset : null,
  example,
  parse,
});

export const text = <D extends string | null>(unset: D, example = ''): Kind<string | D> =>
  parsed(unset, example, (value) => value);

/** A text that errors don't repeat. */
export const valid = (
  isValid: (value: string) => boolean,
  fault: string,
  example: string,
): Kind<string | null> => parsed(null, example, (value, refuse) => (isValid(value) ? value : refuse(fault)));

/** A text that can be empty and whose spaces matter, such as a prompt. */
export const exactText = (example: string): Kind<string | null> => ({
  ...text(null, example),
  type: 'exact text',
});

/** A list whose entries are separated by commas. `parse` returns the entry that it stands for, or true for itself. */
export const list = (
  example: string,
  parse: (entry: string, refuse: Refuse) => string | true,
  isEntry: (entry: string) => boolean = () => true,
): Kind<readonly string[]> =>
  parsed([], example, (value, refuse) => {
    const entries = value.split(',').map((entry) => entry.trim());
    return entries.filter(isEntry).map((entry) => {
      const found = parse(entry, refuse);
      return found === true ? entry : found;
    });
  });

/** A whole number from `min` to `max`, whose value is in another unit than it is written in. */
export const whole = <D extends number | null>(
  standard: D,
  min: number,
  max: number,
  unit = 1,
): Kind<number | D> => ({
  type: 'whole number',
  unset: typeof standard === 'number' ? standard * unit : standard,
  default: standard,
  example: standard ?? min,
  parse(written, refuse) {
    const number = /^\d+$/.test(written) ? Number(written) : Number.NaN;
    if (number >= min && number <= max) return number * unit;
    return refuse(`is not a whole number from ${min} to ${max}`, written);
  },
});

export const choice = <C extends string, D extends C | null>(
  choices: readonly C[],
  unset: D,
): Kind<C | D> => ({
  type: 'choice',
  unset,
  default: unset,
  example: unset ?? choices[0]!,
  parse: (written, refuse) =>
    choices.find((candidate) => candidate === written) ??
    refuse(`is not one of ${choices.join(', ')}`, written),
});

/** A choice between the default, which stands for `unset`, and its opposite. */
export function flag(standard: string, opposite: string, unset: boolean): Kind<boolean> {
  const { parse, ...kind } = choice([standard, opposite], standard);
  return { ...kind, unset, parse: (written, refuse) => (parse(written, refuse) === standard) === unset };
}

/** Throws a ConfigError that names a variable. */
export function refuse(name: string, fault: string, example: string | number): never {
  throw new ConfigError(`${name}: ${fault}; for example ${name}=${example}`);
}

/** Returns the value of a setting. Throws a ConfigError if what is written is invalid. */
export const settingValue = <V>({ name, example, parse }: Setting<V>, written: string): V =>
  parse(written, (fault, value) =>
    refuse(name, (value === undefined ? fault : `"${value}" ${fault}`) + quotesOf(written), example),
  );

/** Shells take quotes off, but env files of Docker and systemd keep them. */
const quotesOf = (written: string): string => (/^(["']).*\1$/s.test(written) ? ', with its quotes' : '');

/** Reads environment variables. */
export class EnvironmentReader {
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Returns the trimmed value of any variable; null if it is unset or empty. */
  text(name: string): string | null {
    return this.exactText(name)?.trim() || null;
  }

  /** Returns the value of any variable unchanged; null if it is unset. */
  exactText(name: string): string | null {
    // A file can name any variable, even `__proto__`, which every object has.
    const value: unknown = this.#environment[name];
    return typeof value === 'string' ? value : null;
  }

  /** Throws a ConfigError if the value is invalid, as `all` does. */
  read<V>(setting: Setting<V>): V {
    const written = setting.type === 'exact text' ? this.exactText(setting.name) : this.text(setting.name);
    return written === null ? setting.unset : settingValue(setting, written);
  }

  all<T extends Readonly<Record<string, Setting<unknown>>>>(settings: T): SettingValues<T> {
    const entries = Object.entries(settings).map(([field, setting]) => [field, this.read(setting)]);
    return Object.freeze(Object.fromEntries(entries));
  }
}

/**
 * One mapping of a settings file. Each field is read once, and `end` rejects fields that were never read. Invalid
 * values throw a ConfigError of one line: the file, the field, its fault, and an example.
 */
export class Fields {
  /** The path of the settings file. */
  readonly file: string;
  /** The prefix of the field names in errors, such as `models[0].`. */
  readonly #path: string;
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #known: string[] = [];

  constructor(file: string, path: string, value: unknown, example: string) {
    this.file = file;
    this.#path = path === '' ? '' : `${path}.`;
    if (!isObject(value))
      throw new ConfigError(`${file}: ${path || 'it'} is not a mapping; for example ${example}`);
    this.#values = value;
  }

  has(name: string): boolean {
    return this.#value(name) !== undefined;
  }

  read<V>(name: string, { type, unset, example, parse }: Kind<V>): V {
    const value = this.#value(name);
    if (value === undefined) return unset;
    const isText = typeof value === 'string';
    if (type.endsWith('text') && !isText) return this.fail(name, 'is not a text', example);
    // No number and no choice is an empty text.
    const written = isText === !type.endsWith('number') ? String(value) : '';
    // An empty text counts as missing, as in the environment.
    if (type === 'text' && written.trim() === '') return unset;
    return parse(type === 'text' ? written.trim() : written, (fault) => this.fail(name, fault, example));
  }

  /** Returns the values of fields. Their names have underscores in the file. */
  all<T extends Readonly<Record<string, Kind<unknown>>>>(kinds: T): SettingValues<T> {
    const written = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const entries = Object.entries(kinds).map(([field, kind]) => [field, this.read(written(field), kind)]);
    return Object.fromEntries(entries);
  }

  text(name: string, example: string): string | null {
    return this.read(name, text(null, example));
  }

  flag(name: string): boolean {
    const value = this.#value(name);
    if (value === undefined || typeof value === 'boolean') return value ?? false;
    return this.fail(name, 'is neither true nor false', 'true');
  }

  /** Reports whether a field is exactly this text. */
  is(name: string, text: string): boolean {
    return this.#value(name) === text;
  }

  /** Returns a list of texts; empty if the field is missing. */
  texts(name: string, example: string): readonly string[] {
    const value = this.#value(name) ?? [];
    if (Array.isArray(value) && value.every((text) => typeof text === 'string')) return value;
    return this.fail(name, 'is not a list of texts', example);
  }

  /** Returns a list of one or more mappings. `entryExample` is an example of one field of an entry. */
  entries(name: string, example: string, entryExample: string): Fields[] {
    return this.list(name, example).map(
      (entry, i) => new Fields(this.file, `${this.#path}${name}[${i}]`, entry, entryExample),
    );
  }

  list(name: string, example: string): readonly unknown[] {
    const value = this.#value(name);
    if (Array.isArray(value) && value.length > 0) return value;
    return this.fail(
      name,
      value === undefined ? 'is missing' : 'is not a list of one entry or more',
      example,
    );
  }

  fields(name: string, example: string): Fields {
    return new Fields(this.file, this.#path + name, this.#value(name), example);
  }

  /** Throws a ConfigError. It does not repeat the value, which may be a key. */
  fail(name: string, fault: string, example: string | number): never {
    throw new ConfigError(`${this.file}: ${this.#path}${name} ${fault}; for example ${name}: ${example}`);
  }

  /** Throws a ConfigError if a field was never read. Call it after reading all fields. */
  end(): void {
    const unknown = Object.keys(this.#values).find((name) => !this.#known.includes(name));
    if (unknown === undefined) return;
    throw new ConfigError(
      `${this.file}: ${this.#path}${unknown} is not a setting; the settings are ${this.#known.join(', ')}`,
    );
  }

  #value(name: string): unknown {
    if (!this.#known.includes(name)) this.#known.push(name);
    return this.#values[name] ?? undefined;
  }
}
