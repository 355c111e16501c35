/** Reads variables of the environment. Each throws a ConfigError where the value can't be used. */
export interface EnvironmentReader {
  /** Trimmed; null where it is unset or empty. */
  text(name: string): string | null;
  /** As it stands; null where it is unset. */
  exactText(name: string): string | null;
  whole<D extends number | null>(name: string, bounds: { default: D; min: number; max: number }): number | D;
  choice<C extends string, D extends C | null>(name: string, choices: readonly C[], fallback: D): C | D;
}
