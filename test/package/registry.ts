import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A registry that has one package, and names another for all others. */
export interface Registry extends AsyncDisposable {
  readonly url: string;
}

/** Starts a registry on this machine with the package of a tarball, described by `manifest` as a registry describes it. */
export async function openRegistry(
  tarball: string,
  manifest: { readonly name: string; readonly version: string },
  others: string,
): Promise<Registry> {
  const bytes = readFileSync(tarball);
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const { name, version } = manifest;
  const server = createServer(({ url: path = '' }, response) => {
    if (path === `/${name}.tgz`) response.end(bytes);
    else if (path === `/${name}`) {
      const dist = { tarball: `${url}/${name}.tgz`, integrity };
      const versions = { [version]: { ...manifest, dist, _hasShrinkwrap: true } };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
    } else response.writeHead(302, { location: others.replace(/\/$/, '') + path }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
