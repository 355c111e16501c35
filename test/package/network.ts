// What npm needs to reach its registry from here. Nothing else of the environment reaches the tested installation.
const names = ['NODE_EXTRA_CA_CERTS', 'npm_config_registry', 'http_proxy', 'https_proxy', 'no_proxy'];

export const network: Readonly<Record<string, string>> = Object.fromEntries(
  names
    .flatMap((name) => [name, name.toUpperCase()])
    .flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
);
