import type { Environment } from '../../packages/small/src/settings.ts';

/** The present names of the settings that earlier releases called otherwise. Those names still work, with a warning. */
export const formerNames: Readonly<Record<string, string>> = {};

/** Returns the environment with present names, and the former ones in it. If both are set, the present one counts. */
export function withPresentNames(environment: Environment, former = formerNames) {
  const isSet = (name: string) => Boolean(environment[name]?.trim());
  const renamed = Object.entries(former).flatMap(([variable, setting]) =>
    // A secret can be in a file.
    ['', '_FILE'].flatMap((ending) =>
      isSet(variable + ending) ? [{ variable: variable + ending, setting: setting + ending }] : [],
    ),
  );
  const taken = renamed
    .filter(
      ({ setting }) => !isSet(setting) && !isSet(setting.replace(/_FILE$/, '')) && !isSet(`${setting}_FILE`),
    )
    .map(({ variable, setting }) => [setting, environment[variable]] as const);
  return { environment: { ...environment, ...Object.fromEntries(taken) }, renamed };
}
