import fc from 'fast-check';
import type { Random } from '../helpers/random.ts';

type Schema = { readonly [name: string]: unknown };

const strings = [
  ...['', ' ', '\t\n', '0', '-1', 'NaN', 'null', '[object Object]', '__proto__', 'constructor', 'toString'],
  ...[
    "' OR '1'='1",
    '"; DROP TABLE api_keys; --',
    '../../../../etc/hosts',
    '%00',
    '%s%n',
    '<script>alert(1)</script>',
  ],
  ...[
    '=1+1',
    'x;=1+1',
    'a\r\nX-Injected: 1',
    '\u0000',
    'a\u0000b',
    '\u001b[31mred',
    '\u2028',
    '\u202eright',
    '\ufeffbom',
  ],
  ...[
    '\ud800',
    'x\ud83d',
    '👩‍👩‍👧',
    'İıſK',
    'ﷺ'.repeat(50),
    'sk_',
    'jürgen@exämple.com',
    'a..b@example.com',
    '\\',
    '/',
    '..',
  ],
  ...['a'.repeat(201), 'é'.repeat(1_000), 'a'.repeat(15_000)],
];
const numbers = [0, -0, -1, 1, 2, 0.5, 512, 513, 1e9, 2 ** 31, 2 ** 53, 1e21, 1e308, -1e308, 5e-324, 365_001];

/** Values that a hostile or broken client may send. */
export class HostileValues {
  readonly #random: Random;
  readonly #unicode: readonly string[];
  readonly #json: readonly unknown[];
  /** By a field's name: values that may be valid. */
  readonly #plausible: Readonly<Record<string, () => unknown>>;

  constructor(random: Random, plausible: Readonly<Record<string, () => unknown>>) {
    this.#random = random;
    this.#plausible = plausible;
    const options = { seed: random.below(1 << 30), numRuns: 400 };
    this.#unicode = fc.sample(fc.string({ unit: 'binary', maxLength: 60 }), options);
    this.#json = fc.sample(fc.jsonValue({ maxDepth: 3 }), options);
  }

  text(): string {
    const { pick, chance } = this.#bound;
    return chance(0.3) ? pick(this.#unicode) : pick(strings);
  }

  any(): unknown {
    const { pick, chance } = this.#bound;
    if (chance(0.4)) return this.text();
    return chance(0.3) ? pick(numbers) : pick(this.#json);
  }

  /** A value that a schema accepts, or nearly accepts. */
  of(schema: Schema, name: string): unknown {
    const { pick, chance } = this.#bound;
    if (chance(0.06)) return this.any();
    const plausible = this.#plausible[name];
    if (plausible && chance(0.9)) return plausible();
    if (Array.isArray(schema.enum)) return pick(schema.enum);
    if (schema.const !== undefined) return schema.const;
    const choices = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined;
    if (choices) return this.of(pick(choices), name);
    switch (schema.type) {
      case 'boolean':
        return chance(0.5);
      case 'null':
        return null;
      case 'integer':
      case 'number':
        return Number(schema.minimum ?? 0) + this.#random.below(100);
      case 'array':
        return Array.from({ length: this.#random.below(4) }, () => this.of(schema.items as Schema, ''));
      case 'object':
        return this.#object(schema);
      default:
        return this.text();
    }
  }

  #object({ properties = {}, required = [] }: Schema): object {
    const { chance } = this.#bound;
    const names = Object.keys(properties as object);
    const wanted = names.filter((name) =>
      (required as string[]).includes(name) ? chance(0.97) : chance(0.5),
    );
    const fields = wanted.map((name) => [name, this.of((properties as Record<string, Schema>)[name]!, name)]);
    return Object.fromEntries(chance(0.03) ? [...fields, [this.text(), this.any()]] : fields);
  }

  get #bound() {
    const random = this.#random;
    return {
      pick: <T>(values: readonly T[]): T => random.pick(values),
      chance: (share: number): boolean => random.chance(share),
    };
  }
}
