import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pages } from '../docs/markdown.ts';
import { eventually } from '../helpers/eventually.ts';

/** A proxy that speaks TLS, with the configuration of deploy/. */
export interface TlsProxy extends AsyncDisposable {
  /** The certificate to trust, once the proxy listens. */
  readonly certificate: string;
}

export interface ProxySettings {
  readonly directory: string;
  readonly ports: { readonly https: number; readonly http: number };
  /** Where the service listens, as `host:port`. */
  readonly upstream: string;
}

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url)), 'utf8');

/** Where Debian installs them; not every PATH includes /usr/sbin. */
const environment = { PATH: `${process.env.PATH}:/usr/sbin` };

export function missingTool(...names: string[]): string | false {
  const missing = names.find(
    (name) => spawnSync(name, ['version'], { env: environment, timeout: 60_000 }).error,
  );
  return missing === undefined ? false : `there is no ${missing} here`;
}

/**
 * Caddy, with a certificate of its own authority. The file is changed where a test must not share with the
 * machine: port 80.
 */
export async function startCaddy({ directory, ports, upstream }: ProxySettings): Promise<TlsProxy> {
  const file = join(directory, 'Caddyfile');
  writeFileSync(file, replaced(read('Caddyfile'), [['admin off', `admin off\n\thttp_port ${ports.http}`]]));
  const started = await start('caddy', ['run', '--config', file], {
    HOME: directory,
    XDG_DATA_HOME: directory,
    XDG_CONFIG_HOME: directory,
    PUBLIC_URL: `https://localhost:${ports.https}`,
    UPSTREAMS: upstream,
  });
  const root = join(directory, 'caddy/pki/authorities/local/root.crt');
  return started(ports.https, () => readFileSync(root, 'utf8'));
}

/** nginx, with a self-signed certificate and the test's ports, names and paths. */
export async function startNginx({ directory, ports, upstream }: ProxySettings): Promise<TlsProxy> {
  const [certificate, key] = [join(directory, 'certificate.pem'), join(directory, 'key.pem')];
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
    ...['-keyout', key, '-out', certificate],
  ]);
  if (made.status !== 0) throw new Error(`openssl: ${made.stderr}`);
  const site = replaced(read('nginx.conf'), [
    ['127.0.0.1:8080 max_fails=0', upstream],
    ['listen 80;', `listen 127.0.0.1:${ports.http};`],
    ['\tlisten [::]:80;\n', ''],
    ['listen 443 ssl', `listen 127.0.0.1:${ports.https} ssl`],
    ['\tlisten [::]:443 ssl http2;\n', ''],
    ['server_name embed.example.com', 'server_name localhost'],
    ['/etc/letsencrypt/live/embed.example.com/fullchain.pem', certificate],
    ['/etc/letsencrypt/live/embed.example.com/privkey.pem', key],
  ]);
  const started = await start('nginx', ['-e', 'stderr', '-c', nginxFile(directory, site)], {});
  return started(ports.https, () => readFileSync(certificate, 'utf8'));
}

/** Writes a whole configuration around a site, and returns its path. */
function nginxFile(directory: string, site: string): string {
  mkdirSync(join(directory, 'conf.d'));
  writeFileSync(join(directory, 'conf.d/embedgate.conf'), site);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(directory, name)};`,
  );
  const file = join(directory, 'nginx.conf');
  writeFileSync(
    file,
    // Its workers write large bodies into a directory that only its owner can enter.
    `${userInfo().uid === 0 ? 'user root; ' : ''}daemon off; worker_processes 1; pid ${join(directory, 'pid')}; error_log stderr warn;
     events {} http { access_log off; ${paths.join(' ')} include ${join(directory, 'conf.d/*.conf')}; }`,
  );
  return file;
}

/** A proxy in front of several replicas, without TLS. */
export interface RunningProxy extends AsyncDisposable {
  readonly address: string;
}

interface PlainSettings {
  readonly directory: string;
  readonly port: number;
  /** Where the replicas listen, as `host:port`. */
  readonly upstreams: readonly string[];
  /** Lines of the configuration, and what stands there for the test: shorter times and lower bounds. */
  readonly changes?: readonly (readonly [string, string])[];
}

/** A proxy with the configuration of deploy/ but without its TLS, and with the test's ports, paths and replicas. */
export async function startPlainProxy(
  name: 'caddy' | 'nginx' | 'haproxy',
  settings: PlainSettings,
): Promise<RunningProxy> {
  const { args, more } = await plain[name](settings);
  const running = await start(name, args, more);
  const proxy = await running(settings.port, () => '', listens);
  return {
    address: `http://127.0.0.1:${settings.port}`,
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  };
}

type Started = { args: string[]; more: Record<string, string> };

const plain: Record<'caddy' | 'nginx' | 'haproxy', (settings: PlainSettings) => Started> = {
  caddy({ directory, port, upstreams, changes = [] }) {
    const file = join(directory, 'Caddyfile');
    writeFileSync(file, replaced(read('Caddyfile'), changes));
    return {
      args: ['run', '--config', file],
      more: {
        HOME: directory,
        XDG_DATA_HOME: directory,
        XDG_CONFIG_HOME: directory,
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        UPSTREAMS: upstreams.join(' '),
      },
    };
  },
  nginx({ directory, port, upstreams, changes = [] }) {
    const [http, https = ''] = read('nginx.conf')
      .split(/(?=^server \{$)/m)
      .slice(1);
    const upstream = replaced(read('nginx.conf').split(/^server \{$/m)[0]!, [
      [
        '\tserver 127.0.0.1:8080 max_fails=0;',
        upstreams.map((host) => `\tserver ${host} max_fails=0;`).join('\n'),
      ],
    ]);
    if (http === undefined) throw new Error('nginx.conf has no server');
    const site = replaced(https, [
      ['listen 443 ssl http2;', `listen 127.0.0.1:${port};`],
      ['\tlisten [::]:443 ssl http2;\n', ''],
      ['server_name embed.example.com', 'server_name _'],
      ['\tssl_certificate /etc/letsencrypt/live/embed.example.com/fullchain.pem;\n', ''],
      ['\tssl_certificate_key /etc/letsencrypt/live/embed.example.com/privkey.pem;\n', ''],
    ]);
    return {
      args: ['-e', 'stderr', '-c', nginxFile(directory, replaced(upstream + site, changes))],
      more: {},
    };
  },
  haproxy({ directory, port, upstreams }) {
    const file = join(directory, 'haproxy.cfg');
    const config = replaced(read('haproxy.cfg'), [
      ['\tbind :443 ssl crt /etc/haproxy/embed.example.com.pem alpn h2,http/1.1\n', ''],
      ['\tbind :80\n', `\tbind 127.0.0.1:${port}\n`],
      ['\thttp-request redirect scheme https unless { ssl_fc }\n', ''],
      ['replica-1 127.0.0.1:8080', `replica-1 ${upstreams[0]}`],
      ['replica-2 127.0.0.1:8081', `replica-2 ${upstreams[1]}`],
    ]);
    writeFileSync(file, config);
    return { args: ['-f', file], more: {} };
  },
};

/** The proxy of docs/coming-from.md, which adds the key to requests without one. */
export async function startDoor(directory: string, port: number, upstream: string, key: string) {
  const blocks = pages().find(({ path }) => path === 'docs/coming-from.md')?.blocks ?? [];
  const { code } = blocks.find(({ language }) => language === 'caddy')!;
  const file = join(directory, 'Caddyfile');
  const own = replaced(code, [
    ['127.0.0.1:8090', `127.0.0.1:${port}`],
    ['127.0.0.1:8080', upstream],
  ]);
  writeFileSync(file, `{\n\tadmin off\n}\n${own}`);
  const home = { HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory };
  const running = await start('caddy', ['run', '--config', file], { ...home, EMBEDGATE_KEY: key });
  return running(port, () => '', listens);
}

/**
 * A proxy with the configuration that docs/deploy.md gives for a path, without TLS. `takesOff`: it takes the path off.
 */
export async function startPathProxy(
  name: 'caddy' | 'nginx',
  { directory, port, upstream, takesOff }: Omit<ProxySettings, 'ports'> & { port: number; takesOff: boolean },
): Promise<AsyncDisposable> {
  const blocks = pages().find(({ path }) => path === 'docs/deploy.md')?.blocks ?? [];
  const { code } = blocks.find(({ language }) => language === name)!;
  const taking = { caddy: ['handle ', 'handle_path '], nginx: [':8080;', ':8080/;'] } as const;
  const own = replaced(takesOff ? replaced(code, [taking[name]]) : code, [['127.0.0.1:8080', upstream]]);
  const file = join(directory, 'Caddyfile');
  if (name === 'caddy')
    writeFileSync(
      file,
      `{\n\tadmin off\n}\n${replaced(own, [['tools.example.com', `http://127.0.0.1:${port}`]])}`,
    );
  const args =
    name === 'caddy'
      ? ['run', '--config', file]
      : ['-e', 'stderr', '-c', nginxFile(directory, `server { listen 127.0.0.1:${port}; ${own} }`)];
  const home = { HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory };
  return (await start(name, args, home))(port, () => '', listens);
}

/** A proxy of docs/deploy.md that sends keys with the prefix `second` to the second of two installations. */
export async function startSplit(
  name: 'caddy' | 'nginx',
  { directory, port, upstreams }: Pick<PlainSettings, 'directory' | 'port' | 'upstreams'>,
): Promise<AsyncDisposable> {
  const blocks = pages().find(({ path }) => path === 'docs/deploy.md')?.blocks ?? [];
  const { code } = blocks.find((block) => block.language === name && block.code.includes('second_'))!;
  const own = replaced(code, [
    name === 'caddy' ? ['embed.example.com', `http://127.0.0.1:${port}`] : ['8090', `${port}`],
    ['127.0.0.1:8080', upstreams[0]!],
    ['127.0.0.1:8081', upstreams[1]!],
  ]);
  const file = join(directory, 'Caddyfile');
  if (name === 'caddy') writeFileSync(file, `{\n\tadmin off\n}\n${own}`);
  const args =
    name === 'caddy' ? ['run', '--config', file] : ['-e', 'stderr', '-c', nginxFile(directory, own)];
  const home = { HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory };
  return (await start(name, args, home))(port, () => '', listens);
}

/**
 * PgBouncer in session mode, otherwise with the configuration that docs/operations.md gives. Returns the address of the
 * database behind it.
 */
export async function startPooler(directory: string, port: number, database: string) {
  const { username, password, port: behind, pathname } = new URL(database);
  const blocks = pages().find(({ path }) => path === 'docs/operations.md')?.blocks ?? [];
  const documented = blocks.find(({ code }) => code.startsWith('[pgbouncer]'))?.code ?? '';
  const [users, file] = [join(directory, 'users.txt'), join(directory, 'pgbouncer.ini')];
  writeFileSync(users, `"${username}" "${password}"\n`);
  writeFileSync(
    file,
    `${replaced(documented, [
      ['pool_mode = transaction\nmax_prepared_statements = 200\n', 'pool_mode = session\n'],
    ])}default_pool_size = 40\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =
auth_type = plain\nauth_file = ${users}\n[databases]\n* = host=127.0.0.1 port=${behind}\n`,
  );
  // It does not run as root.
  const isRoot = userInfo().uid === 0;
  if (isRoot) chmodSync(directory, 0o755);
  const pooler = await (await start('pgbouncer', [...(isRoot ? ['-u', 'nobody'] : []), file], {}))(
    port,
    () => '',
    listens,
  );
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`,
    [Symbol.asyncDispose]: () => pooler[Symbol.asyncDispose](),
  };
}

async function listens(port: number): Promise<boolean> {
  const { connect } = await import('node:net');
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(socket.destroy() !== undefined));
    socket.once('error', () => resolve(false));
  });
}

async function start(program: string, args: string[], more: Record<string, string>) {
  const child: ChildProcess = spawn(program, args, {
    env: { ...environment, ...more },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  const ended = once(child, 'exit');
  return async (port: number, certificate: () => string, accepting = accepts): Promise<TlsProxy> => {
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${output}`);
      return accepting(port);
    });
    return {
      certificate: certificate(),
      async [Symbol.asyncDispose]() {
        child.kill('SIGTERM');
        await ended;
      },
    };
  };
}

/** Whether a TLS handshake succeeds: Caddy listens before it has a certificate. */
async function accepts(port: number): Promise<boolean> {
  const { connect } = await import('node:tls');
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false });
    socket.once('secureConnect', () => resolve(socket.destroy() !== undefined));
    socket.once('error', () => resolve(false));
  });
}

/** Throws if a file no longer contains the text to be replaced. */
function replaced(text: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((rest, [from, to]) => {
    if (!rest.includes(from)) throw new Error(`The configuration has no ${JSON.stringify(from)}`);
    return rest.replaceAll(from, to);
  }, text);
}
