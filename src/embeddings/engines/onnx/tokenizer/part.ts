import { isInteger, isObject, type JsonObject } from '../../../../lib/json.ts';

/** One part of a `tokenizer.json`, such as its normalizer. All reads throw an error that names an unsupported field. */
export class Part {
  readonly type: string;
  readonly #place: string;
  readonly #fields: JsonObject;
  readonly #read = new Set(['type']);

  /** `place` names the part in errors, such as `normalizer`. */
  constructor(place: string, json: unknown, type?: string) {
    this.#place = place;
    if (!isObject(json)) throw new Error(`tokenizer.json: ${place}: not an object`);
    this.#fields = json;
    this.type = type ?? String(json.type);
  }

  refuse(reason: string): never {
    throw new Error(`tokenizer.json: ${this.#place} ${JSON.stringify(this.type)}: ${reason}`);
  }

  field(name: string): unknown {
    this.#read.add(name);
    return this.#fields[name];
  }

  boolean(name: string, byDefault?: boolean): boolean {
    const value = this.field(name) ?? byDefault;
    return typeof value === 'boolean' ? value : this.#mistyped(name, value);
  }

  string(name: string, byDefault?: string): string {
    const value = this.field(name) ?? byDefault;
    return typeof value === 'string' ? value : this.#mistyped(name, value);
  }

  integer(name: string, byDefault?: number): number {
    const value = this.field(name) ?? byDefault;
    return isInteger(value) ? value : this.#mistyped(name, value);
  }

  oneOf<const T extends string>(name: string, values: readonly T[], byDefault?: T): T {
    const value = this.string(name, byDefault);
    return values.find((one) => one === value) ?? this.#mistyped(name, value);
  }

  /** Returns nested parts, such as those of a sequence. */
  parts(name: string): Part[] {
    const value = this.field(name);
    if (!Array.isArray(value)) return this.#mistyped(name, value);
    return value.map((json) => new Part(this.#place, json));
  }

  /** Throws when a field was not read, because it could affect ids. Fields in `meaningless` don't. */
  end(...meaningless: readonly string[]): void {
    const unknown = Object.keys(this.#fields).find(
      (name) => !this.#read.has(name) && !meaningless.includes(name) && this.#fields[name] !== null,
    );
    if (unknown !== undefined) this.#mistyped(unknown, this.#fields[unknown]);
  }

  #mistyped(name: string, value: unknown): never {
    const shown = JSON.stringify(value) ?? 'missing';
    return this.refuse(`${JSON.stringify(name)} is ${shown.slice(0, 200)}, which is not supported`);
  }
}
