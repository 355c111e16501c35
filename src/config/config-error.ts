/**
 * An invalid value in the environment or a settings file. The message is one line that names the setting, the fault and
 * an example.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
