import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fieldsOf } from '../../packages/small/src/json.ts';

/** Names the owner of a file that belongs to another user, which a command or a restore by root can leave behind. */
export function ownerOf(path: string): string {
  const owner = statSync(path, { throwIfNoEntry: false })?.uid;
  const own = process.getuid?.();
  if (owner === undefined || own === undefined || own === 0 || owner === own) return '';
  return ` (${path} belongs to user ${owner}, and this is user ${own})`;
}

/** Names the owner of what this user may not enter, read or write, if an error or its cause says so. */
export function ownerIn(reason: unknown): string {
  const { code, path, cause } = fieldsOf(reason);
  if (code !== 'EACCES' || typeof path !== 'string') return cause ? ownerIn(cause) : '';
  let place = path;
  while (!existsSync(place)) place = dirname(place);
  return ownerOf(place);
}
