import { setGlobalProxyFromEnv } from 'node:http';
import { type Environment, parsed, setting, settingValue } from '../../packages/small/src/settings.ts';

/** Requests to this machine never use the proxy, such as the health checks of a container. */
const ownHosts = 'localhost,127.0.0.1,[::1]';

/** The address of a proxy. As for other programs, `http://` can be left out. Errors don't repeat a password. */
export const proxyAddress = parsed(null, 'http://proxy.example.com:3128', (value, refuse) => {
  const url = URL.parse(value.includes('://') ? value : `http://${value}`);
  return url && /^https?:$/.test(url.protocol) ? url.href : refuse('is not the address of an HTTP proxy');
});

/** Sends this process's requests through the proxy that the environment names. Throws a ConfigError. */
export function useProxy(environment: Environment): void {
  const written = Object.entries(environment).filter(
    ([name, value]) => /^https?_proxy$/i.test(name) && value,
  );
  if (written.length === 0) return;
  const proxies = written.map(([name, value]) => [name, settingValue(setting(name, proxyAddress), value!)]);
  const direct = environment.no_proxy || environment.NO_PROXY || '';
  // Node takes `*` for every host only if it stands alone.
  const none = direct.trim() === '*' ? '*' : `${direct},${ownHosts}`;
  setGlobalProxyFromEnv({ ...Object.fromEntries(proxies), no_proxy: none });
}
