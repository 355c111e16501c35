/**
 * An invalid value in the environment or a settings file. The message is one line that names the setting, the fault and
 * an example.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads environment variables. Every method throws a ConfigError for an invalid value. */
export interface EnvironmentReader {
  /** Returns the trimmed value; null if it is unset or empty. */
  text(name: string): string | null;
  /** Returns the value unchanged; null if it is unset. */
  exactText(name: string): string | null;
  whole<D extends number | null>(name: string, bounds: { default: D; min: number; max: number }): number | D;
  choice<C extends string, D extends C | null>(name: string, choices: readonly C[], fallback: D): C | D;
}
