import { isPositiveInteger, type JsonObject, ownEntry } from '../../../small/src/json.ts';

/** Keys of `config.json` that don't change a vector: names, tokens, training, and parts that are not computed. */
const harmless = new RegExp(
  `^(${[
    '_name_or_path|architectures|model_type|transformers_version|tokenizer_class|torch_dtype|dtype|language|name',
    '(bos|eos|cls|sep|mask|pad|unk|decoder_start)_token_id|vocab_size|id2label|label2id|num_labels|problem_type',
    'initializer_(range|factor)|.*drop(out|path).*|gradient_checkpointing|finetuning_task|return_dict',
    'use_cache|output_past|summary_\\w+|generator_\\w+|pooler_\\w+|directionality|tie_(word_embeddings|weights_)',
    '_?attn_implementation\\w*|matryoshka_dimensions|sentence_transformers|sinusoidal_pos_embds',
    // sentence-transformers applies it to a score. The service returns the score and its sigmoid, whatever it names.
    'sbert_ce_default_activation_function',
    'down_scale_factor|gap_size|net_structure_type|num_memory_blocks',
  ].join('|')})$`,
);

const maxShown = 200;

/** Reads `config.json`, and remembers which keys were read, because another one could change what the model computes. */
export class ModelConfig {
  readonly #json: JsonObject;
  readonly #known = new Set<string>();

  /** `aliases`: the usual names of keys, by others. */
  constructor(json: JsonObject, aliases: Readonly<Record<string, string>> = {}) {
    const twice = Object.keys(aliases).find((alias) => alias in json && aliases[alias]! in json);
    if (twice) throw new Error(`config.json has both "${twice}" and "${aliases[twice]}"`);
    this.#json = Object.fromEntries(
      Object.entries(json).map(([key, value]) => [ownEntry(aliases, key) ?? key, value]),
    );
  }

  /** Throws if there is no positive integer. */
  size(key: string, otherwise?: number): number {
    const value = this.#read(key) ?? otherwise;
    if (!isPositiveInteger(value)) throw new Error(`"${key}" of config.json is not a positive integer`);
    return value;
  }

  /** Throws if there is no integer from 0 on. */
  count(key: string, otherwise: number): number {
    const value = this.#read(key) ?? otherwise;
    if (value !== 0 && !isPositiveInteger(value))
      throw new Error(`"${key}" of config.json is not an integer from 0 on`);
    return value;
  }

  number(key: string, otherwise: number): number {
    const value = this.#read(key) ?? otherwise;
    if (typeof value !== 'number') throw new Error(`"${key}" of config.json is not a number`);
    return value;
  }

  /** Returns what stands for the value of a key. Throws for a value that is not in the table. */
  choice<T>(key: string, table: Readonly<Record<string, T>>, otherwise: string): T {
    const value = String(this.#read(key) ?? otherwise);
    const found = ownEntry(table, value);
    if (found !== undefined) return found;
    const known = Object.keys(table).join(', ');
    throw new Error(`"${key}" of config.json is ${brief(value)}, and the native encoder only knows ${known}`);
  }

  /** Returns a value that the page checks. */
  value(key: string): unknown {
    return this.#read(key);
  }

  flag(key: string, otherwise: boolean): boolean {
    return this.choice(key, { true: true, false: false }, String(otherwise));
  }

  /** Throws unless a key is missing or has one of the values. */
  only(key: string, values: readonly (string | number | boolean)[]): void {
    this.choice(key, Object.fromEntries(values.map((value) => [value, true])), String(values[0]));
  }

  /** Throws if there is a key with a value that nothing has read. */
  refuseOthers(): void {
    const unknown = Object.entries(this.#json).find(([key, value]) => {
      const isEmpty = value === null || (typeof value === 'object' && Object.keys(value).length === 0);
      return !isEmpty && !this.#known.has(key) && !harmless.test(key);
    });
    if (unknown)
      throw new Error(`the native encoder doesn't know the key "${brief(unknown[0])}" of config.json`);
  }

  #read(key: string): unknown {
    this.#known.add(key);
    return this.#json[key] ?? undefined;
  }
}

/** Returns a value of a file for a message, cut if it is long. */
export function brief(value: unknown): string {
  const text = typeof value === 'string' ? value : String(JSON.stringify(value));
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

/** The activations that the kernel has, by their names in `config.json`. */
export const activations = {
  gelu: 'gelu',
  gelu_python: 'gelu',
  gelu_new: 'gelu_tanh',
  gelu_fast: 'gelu_tanh',
  gelu_pytorch_tanh: 'gelu_tanh',
  silu: 'silu',
  swiglu: 'silu',
} as const;
