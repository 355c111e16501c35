import type { Environment } from '../../packages/small/src/settings.ts';

/** The present names of the settings that earlier releases called otherwise. Those names still work, with a warning. */
export const formerNames: Readonly<Record<string, string>> = {};

/** Returns the environment with present names, and the former ones in it. If both are set, the present one counts. */
export function withPresentNames(environment: Environment, former = formerNames) {
  const renamed = Object.entries(former).flatMap(([variable, setting]) =>
    environment[variable]?.trim() ? [{ variable, setting }] : [],
  );
  const taken = renamed.map(({ variable, setting }) => [setting, environment[variable]] as const);
  return { environment: { ...Object.fromEntries(taken), ...environment }, renamed };
}
