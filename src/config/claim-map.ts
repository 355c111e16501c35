import { choice, type Fields, parsed, text } from '../../packages/small/src/settings.ts';
import { storedId } from '../lib/ids.ts';
import { roles } from '../organizations/access.ts';
import type { ClaimMap } from '../users/claim-map.ts';

const orgExample = '01a19671-c1c0-7453-bb19-492ba816cd71';
const entryExample = 'value: ml-team';
const example = `[{${entryExample}, organization: ${orgExample}, role: member}]`;
const value = text(null, 'ml-team');
/** An id, or the external id of an organization that need not exist yet. */
const organization = parsed(null, orgExample, (id) => storedId(id) ?? id);
const role = choice(roles, null);

/** Returns what the settings file says under `sign_in`. Throws a ConfigError at the first invalid value. */
export function readClaimMap(file: Fields | null): ClaimMap | null {
  if (!file?.has('sign_in')) return null;
  const fields = file.fields('sign_in', '{claim: groups}');
  const claim = fields.text('claim', 'groups') ?? fields.fail('claim', 'is missing', 'groups');
  const scopes = fields.texts('scopes', '[groups]');
  const revokesKeys = fields.flag('revoke_keys');
  const memberships = fields.entries('memberships', example, entryExample).map((entry) => {
    const membership = {
      value: entry.read('value', value) ?? entry.fail('value', 'is missing', 'ml-team'),
      orgId: entry.read('organization', organization) ?? entry.fail('organization', 'is missing', orgExample),
      role: entry.read('role', role) ?? entry.fail('role', 'is missing', 'member'),
    };
    entry.end();
    return membership;
  });
  fields.end();
  return { claim, scopes, revokesKeys, memberships };
}
