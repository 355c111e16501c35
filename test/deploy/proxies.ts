import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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

/** Where Debian has them; not everybody's PATH has /usr/sbin. */
const environment = { PATH: `${process.env.PATH}:/usr/sbin` };

export function missingTool(...names: string[]): string | false {
  const missing = names.find((name) => spawnSync(name, ['version'], { env: environment }).error);
  return missing === undefined ? false : `there is no ${missing} here`;
}

/** Caddy, with a certificate of its own authority. The file gets what a test must not share with the machine: the port 80. */
export async function startCaddy({ directory, ports, upstream }: ProxySettings): Promise<TlsProxy> {
  const file = join(directory, 'Caddyfile');
  writeFileSync(file, replaced(read('Caddyfile'), [['admin off', `admin off\n\thttp_port ${ports.http}`]]));
  const started = await start('caddy', ['run', '--config', file], {
    ...{ HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
    ...{ PUBLIC_URL: `https://localhost:${ports.https}`, UPSTREAMS: upstream },
  });
  const root = join(directory, 'caddy/pki/authorities/local/root.crt');
  return started(ports.https, () => readFileSync(root, 'utf8'));
}

/** nginx, with a certificate that signs itself. Ports, names and paths are the test's. */
export async function startNginx({ directory, ports, upstream }: ProxySettings): Promise<TlsProxy> {
  const [certificate, key] = [join(directory, 'certificate.pem'), join(directory, 'key.pem')];
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
    ...['-keyout', key, '-out', certificate],
  ]);
  if (made.status !== 0) throw new Error(`openssl: ${made.stderr}`);
  const site = replaced(read('nginx.conf'), [
    ['127.0.0.1:8080', upstream],
    ['listen 80;', `listen 127.0.0.1:${ports.http};`],
    ['\tlisten [::]:80;\n', ''],
    ['listen 443 ssl', `listen 127.0.0.1:${ports.https} ssl`],
    ['\tlisten [::]:443 ssl http2;\n', ''],
    ['server_name embed.example.com', 'server_name localhost'],
    ['/etc/letsencrypt/live/embed.example.com/fullchain.pem', certificate],
    ['/etc/letsencrypt/live/embed.example.com/privkey.pem', key],
  ]);
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
  const started = await start('nginx', ['-e', 'stderr', '-c', file], {});
  return started(ports.https, () => readFileSync(certificate, 'utf8'));
}

/** Returns three different ones. */
export async function freePorts(): Promise<ProxySettings['ports'] & { readonly service: number }> {
  const probes = [createServer(), createServer(), createServer()];
  const [https, http, service] = await Promise.all(
    probes.map(async (probe) => {
      await once(probe.listen(0, '127.0.0.1'), 'listening');
      return (probe.address() as { port: number }).port;
    }),
  );
  for (const probe of probes) probe.close();
  return { https: https!, http: http!, service: service! };
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
  return async (port: number, certificate: () => string): Promise<TlsProxy> => {
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${output}`);
      return accepts(port);
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

/** Throws where a file no longer has what is to be replaced. */
function replaced(text: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((rest, [from, to]) => {
    if (!rest.includes(from)) throw new Error(`The configuration has no ${JSON.stringify(from)}`);
    return rest.replaceAll(from, to);
  }, text);
}
