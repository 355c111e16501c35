// What npm needs to reach its registry from here: nothing else of the environment gets into an installation that is tried.
const names = ['NODE_EXTRA_CA_CERTS', 'npm_config_registry', 'http_proxy', 'https_proxy', 'no_proxy'];

export const network: Readonly<Record<string, string>> = Object.fromEntries(
  names
    .flatMap((name) => [name, name.toUpperCase()])
    .flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
);
