import type { AuditEntry } from '../../../api/audit.ts';
import { capitalized, formatCount, formatEndMoment, formatMoment } from '../../../lib/format.ts';
import { neverExpires } from '../keys/key-status.ts';

/** The actions that are not described by the kind of the target and a regular past tense. */
const phrases: Partial<Record<AuditEntry['action'], string>> = {
  'batch.cancel': 'Batch cancelled',
  'channel.send': 'Message sent to channel',
  'member.create': 'Member added',
  'member.delete': 'Member removed',
  'organization.purge-vectors': 'Vectors purged',
  'request.refuse': 'Attempt refused',
  'session.create': 'Signed in',
  'session.delete': 'Signed out',
  'session.refuse': 'Sign-in refused',
  'user.create-reset-link': 'Reset password link created',
  'user.link': 'Provider linked to user',
  'user.reset': 'Ways to sign in removed',
  'user.set-password': 'Password set',
  'user.set-up-totp': 'Second factor set up',
};

/** Returns, for example, `Key revoked`. */
export function actionText(action: AuditEntry['action']): string {
  const [kind = '', verb = ''] = action.split('.');
  return (
    phrases[action] ?? `${capitalized(kind.replace('-', ' '))} ${verb}${verb.endsWith('e') ? 'd' : 'ed'}`
  );
}

export const actors: Record<AuditEntry['actor_kind'], string> = {
  user: 'Person',
  key: 'Key',
  'command-line': 'Command line',
  provider: 'Sign-in provider',
  service: 'The service',
  visitor: 'Visitor',
};

/** Returns the actor's name at that time. */
export const actorText = ({ actor_kind, actor_id, actor_name }: AuditEntry): string =>
  actor_kind === 'command-line' && actor_id !== null
    ? actors[actor_kind]
    : (actor_name ?? actor_id ?? actors[actor_kind]);

/** Returns the changed fields, each with its values before and after. */
export function changesOf({ before, after }: AuditEntry): [field: string, change: string][] {
  return Object.keys({ ...before, ...after }).map((field) => {
    const values = [before, after].flatMap((side) =>
      side && field in side ? [valueText(field, side[field])] : [],
    );
    return [capitalized(field.replaceAll('_', ' ')), values.join(' → ')];
  });
}

/** Returns a field's value in words. The API has times as text, in fields whose names end with `_at`. */
function valueText(field: string, value: unknown): string {
  if (value === null) return 'not set';
  if (Array.isArray(value)) return value.map((one) => valueText(field, one)).join(', ') || 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return formatCount(value);
  if (typeof value !== 'string') return JSON.stringify(value);
  if (field === 'expires_at') return neverExpires(value) ? 'never' : formatEndMoment(value);
  return field.endsWith('_at') ? formatMoment(value) : value;
}
