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

/** Reads environment variables. Every method throws a ConfigError for an invalid value. */
export interface EnvironmentReader {
  /** Returns the trimmed value; null if it is unset or empty. */
  text(name: string): string | null;
  /** Returns the value unchanged; null if it is unset. */
  exactText(name: string): string | null;
  whole<D extends number | null>(name: string, bounds: WholeBounds<D>): number | D;
  choice<C extends string, D extends C | null>(name: string, choices: readonly C[], fallback: D): C | D;
}

/** The bounds of a whole number, and the value that an unset one has. */
export interface WholeBounds<D> {
  readonly default: D;
  readonly min: number;
  readonly max: number;
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

  /** Returns the trimmed text. An empty text counts as missing, as in the environment. */
  text(name: string, example: string): string | null {
    const value = this.#value(name);
    if (value === undefined) return null;
    if (typeof value === 'string') return value.trim() || null;
    return this.fail(name, 'is not a text', example);
  }

  /** Returns the text unchanged, since trailing spaces of a prompt matter. */
  exactText(name: string, example: string): string | null {
    const value = this.#value(name);
    if (value === undefined || typeof value === 'string') return value ?? null;
    return this.fail(name, 'is not a text', example);
  }

  choice<C extends string>(name: string, choices: readonly C[]): C | null {
    const value = this.#value(name);
    if (value === undefined) return null;
    const chosen = choices.find((candidate) => candidate === value);
    return chosen ?? this.fail(name, `is not one of ${choices.join(', ')}`, choices[0]!);
  }

  flag(name: string): boolean {
    const value = this.#value(name);
    if (value === undefined || typeof value === 'boolean') return value ?? false;
    return this.fail(name, 'is neither true nor false', 'true');
  }

  whole<D extends number | null>(name: string, bounds: WholeBounds<D>): number | D {
    const value = this.#value(name);
    if (value === undefined) return bounds.default;
    if (Number.isInteger(value) && Number(value) >= bounds.min && Number(value) <= bounds.max)
      return Number(value);
    return this.fail(
      name,
      `is not a whole number from ${bounds.min} to ${bounds.max}`,
      bounds.default ?? bounds.min,
    );
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
