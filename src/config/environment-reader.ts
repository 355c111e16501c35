/** Reads environment variables. Every method throws a ConfigError for an invalid value. */
export interface EnvironmentReader {
  /** Returns the trimmed value; null if it is unset or empty. */
  text(name: string): string | null;
  /** Returns the value unchanged; null if it is unset. */
  exactText(name: string): string | null;
  whole<D extends number | null>(name: string, bounds: { default: D; min: number; max: number }): number | D;
  choice<C extends string, D extends C | null>(name: string, choices: readonly C[], fallback: D): C | D;
}
