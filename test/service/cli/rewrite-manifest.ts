import { once } from 'node:events';
import { createReadStream, writeFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { createGunzip, gzipSync } from 'node:zlib';
import { packTar, type TarHeader, unpackTar } from 'modern-tar';

type Manifest = Record<string, unknown>;

/** Copies a backup of SQLite with one more entry. */
export async function addEntry(from: string, to: string, entry: TarHeader): Promise<void> {
  const source = createReadStream(from);
  await once(source, 'open');
  const entries = await unpackTar(new Uint8Array(await buffer(source.pipe(createGunzip()))));
  const kept = entries.filter(({ header }) => header.name !== entry.name);
  const changed = kept.flatMap(({ header, data }) => {
    if (header.name !== 'manifest.json') return [{ header, data: data! }];
    return [{ header: { ...entry, size: 0 } }, { header, data: data! }];
  });
  writeFileSync(to, gzipSync(await packTar(changed)));
}

/** Copies a backup with another manifest that is equally well-formed, and with another database if one is given. */
export async function rewriteManifest(
  from: string,
  to: string,
  change: (manifest: Manifest) => Manifest,
  database?: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const source = createReadStream(from);
  await once(source, 'open');
  const entries = await unpackTar(new Uint8Array(await buffer(source.pipe(createGunzip()))));
  const changed = entries.map(({ header, data }) => {
    if (header.name === 'embedgate.db' && database)
      return { header: { ...header, size: database.length }, data: database };
    if (header.name !== 'manifest.json') return { header, data: data! };
    const manifest = change(JSON.parse(Buffer.from(data!).toString()) as Manifest);
    const text = Buffer.from(JSON.stringify(manifest));
    return { header: { ...header, size: text.length }, data: text as Uint8Array<ArrayBuffer> };
  });
  writeFileSync(to, gzipSync(await packTar(changed)));
}
