/** A value of the environment that can't be used: one line that names the variable, the fault and an example. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
