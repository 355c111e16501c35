/** Reads what models with rotary positions state about them, and about the layers that see only a window. */
import { isObject } from '../../../small/src/json.ts';
import { brief, type ModelConfig } from './model-config.ts';

const kinds = ['full_attention', 'sliding_attention'] as const;
type Kind = (typeof kinds)[number];

/** The key of each base, and its value where neither that key nor `rope_parameters` states one. */
export type Bases = Readonly<Partial<Record<Kind, readonly [key: string, otherwise: number]>>>;

/** Returns the base of each kind of layer. Throws if positions are scaled. */
export function basesOf(config: ModelConfig, bases: Bases): Readonly<Record<Kind, number>> {
  const stated = config.value('rope_parameters');
  const [full, sliding = full] = kinds.map((kind) => {
    const [key, otherwise] = bases[kind] ?? bases.full_attention!;
    const base = config.number(key, otherwise);
    const parameters = isObject(stated) && isObject(stated[kind]) ? stated[kind] : stated;
    if (!(base > 0)) throw new Error(`"${key}" of config.json is not above 0`);
    if (!isObject(parameters)) return base;
    const {
      rope_type: type = 'default',
      rope_theta: theta = base,
      partial_rotary_factor: part = 1,
      ...others
    } = parameters;
    const isKnown = type === 'default' && part === 1 && typeof theta === 'number' && theta > 0;
    if (isKnown && Object.values(others).every((value) => value === null || isObject(value))) return theta;
    throw new Error(`the native encoder doesn't know the "rope_parameters" of config.json: ${brief(stated)}`);
  });
  return { full_attention: full!, sliding_attention: sliding! };
}

/** Returns the kind of a layer, which `layer_types` states, or `otherwise`. */
export function kindsOf(config: ModelConfig, otherwise: (layer: number) => Kind): (layer: number) => Kind {
  const stated = config.value('layer_types');
  if (stated === undefined) return otherwise;
  const isKnown = Array.isArray(stated) && stated.every((kind) => kinds.includes(kind));
  if (!isKnown)
    throw new Error(`the native encoder doesn't know the "layer_types" of config.json: ${brief(stated)}`);
  return (layer) => {
    if (layer < stated.length) return stated[layer];
    throw new Error('"layer_types" of config.json has fewer entries than there are layers');
  };
}
