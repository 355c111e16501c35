import { ConfigError } from './config-error.ts';

interface WholeBounds<D> {
  readonly default: D;
  readonly min: number;
  readonly max: number;
}

/**
 * One mapping of a settings file. Each field is read once, and `end` refuses those that nobody has asked for. What can't be
 * used throws a ConfigError of one line: the file, the field, its fault, and an example.
 */
export class Fields {
  /** The path of the settings file. */
  readonly file: string;
  /** As `models[0].`. */
  readonly #path: string;
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #known: string[] = [];

  constructor(file: string, path: string, value: unknown, example: string) {
    this.file = file;
    this.#path = path === '' ? '' : `${path}.`;
    if (!isMapping(value))
      throw new ConfigError(`${file}: ${path || 'it'} is not a mapping; for example ${example}`);
    this.#values = value;
  }

  has(name: string): boolean {
    return this.#value(name) !== undefined;
  }

  /** An empty text counts as absent, as it does in the environment. */
  text(name: string, example: string): string | null {
    const value = this.#value(name);
    if (value === undefined) return null;
    if (typeof value === 'string') return value.trim() || null;
    return this.fail(name, 'is not a text', example);
  }

  /** As it stands, since spaces at the end of a prompt matter. */
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

  /** Whether a field is exactly this text. */
  is(name: string, text: string): boolean {
    return this.#value(name) === text;
  }

  /** A list of texts; none where it is absent. */
  texts(name: string, example: string): readonly string[] {
    const value = this.#value(name) ?? [];
    if (Array.isArray(value) && value.every((text) => typeof text === 'string')) return value;
    return this.fail(name, 'is not a list of texts', example);
  }

  /** A list of mappings, one or more. `entryExample` is an example of one field of an entry. */
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

  /** Values are not repeated: one may be a key. */
  fail(name: string, fault: string, example: string | number): never {
    throw new ConfigError(`${this.file}: ${this.#path}${name} ${fault}; for example ${name}: ${example}`);
  }

  /** After all fields have been read. */
  end(): void {
    const unknown = Object.keys(this.#values).find((name) => !this.#known.includes(name));
    if (unknown === undefined) return;
    throw new ConfigError(
      `${this.file}: ${this.#path}${unknown} is no setting; there are ${this.#known.join(', ')}`,
    );
  }

  #value(name: string): unknown {
    if (!this.#known.includes(name)) this.#known.push(name);
    return this.#values[name] ?? undefined;
  }
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
