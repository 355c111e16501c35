import { setGlobalProxyFromEnv } from 'node:http';
import { type Environment, parsed, setting, settingValue } from '../../packages/small/src/settings.ts';

/** Requests to this machine never use the proxy, such as the health checks of a container. */
const ownHosts = 'localhost,127.0.0.1,[::1]';

/** The address of a proxy. As for other programs, `http://` can be left out. Errors don't repeat a password. */
export const proxyAddress = parsed(null, 'http://proxy.example.com:3128', (value, refuse) => {
  const url = URL.parse(value.includes('://') ? value : `http://${value}`);
  return url && /^https?:$/.test(url.protocol) ? url.href : refuse('is not the address of an HTTP proxy');
});

/** A name can get other addresses, of which a connection that is always in use would never learn. */
const connectionAgeMs = 60_000;

/**
 * Sends this process's requests through the proxy that the environment names, and each minute's over new connections.
 * Throws a ConfigError.
 */
export function useProxy(environment: Environment): void {
  const written = Object.entries(environment).filter(
    ([name, value]) => /^https?_proxy$/i.test(name) && value,
  );
  const proxies = written.map(([name, value]) => [name, settingValue(setting(name, proxyAddress), value!)]);
  const direct = environment.no_proxy || environment.NO_PROXY || '';
  // Node takes `*` for every host only if it stands alone.
  const none = direct.trim() === '*' ? '*' : `${direct},${ownHosts}`;
  const proxy = { ...Object.fromEntries(proxies), no_proxy: none };
  if (written.length > 0) setGlobalProxyFromEnv(proxy);
  // Each call begins with no connections, and those before it end when they are idle. It needs some proxy for that.
  const renewed = written.length > 0 ? proxy : { http_proxy: 'http://localhost', no_proxy: '*' };
  setInterval(setGlobalProxyFromEnv, connectionAgeMs, renewed).unref();
}
