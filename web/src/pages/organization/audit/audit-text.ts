import type { AuditEntry } from '../../../api/audit.ts';
import { capitalized, formatCount, formatEndMoment, formatMoment } from '../../../lib/format.ts';
import { neverExpires } from '../keys/key-status.ts';

/** The actions that are not described by the kind of the target and a regular past tense. */
const phrases: Partial<Record<AuditEntry['action'], string>> = {
  'batch.cancel': 'Batch cancelled',
  'channel.send': 'Message sent to channel',
  'key.create-link': 'Link to key created',
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
  'command-line': 'The command line',
  provider: 'Sign-in provider',
  service: 'The service',
  visitor: 'A visitor',
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
    return [nameOfField(field), values.join(' → ')];
  });
}

/**
 * What entries say after their actor: `*` is the target's name, and `{field}` the value that a field has, or had. An
 * entry that lacks such a field, and an action that is not here, has the kind of the target and a regular past tense.
 */
const sentences: Partial<Record<AuditEntry['action'], string>> = {
  'alert-settings.change': 'changed the alert settings',
  'batch.cancel': 'cancelled the batch *',
  'channel.create': 'added the channel *',
  'channel.send': 'sent a message to the channel *',
  'invitation.create': 'invited * as {role}',
  'invitation.accept': 'accepted the invitation of * as {role}',
  'invitation.delete': 'withdrew the invitation of *',
  'key.create-link': 'created a link to the key *',
  'limit.create': 'set {amount} *',
  'limit.change': 'changed {before.amount} to {amount} *',
  'limit.delete': 'removed the limit of {amount} *',
  'member.create': 'added * as {role}',
  'member.change': 'changed the role of * from {before.role} to {role}',
  'member.delete': 'removed the member *',
  'organization.purge-vectors': 'purged the cached vectors',
  'request.refuse': 'was refused {operation}: {error}',
  'session.create': 'signed in',
  'session.delete': 'ended a session of *',
  'session.refuse': 'could not sign in as *: {error}',
  'user.create-reset-link': 'created a reset password link for *',
  'user.link': 'linked a sign-in provider to *',
  'user.reset': 'removed the ways to sign in of *',
  'user.set-password': 'set the password of *',
  'user.set-up-totp': 'set up a second factor of *',
};

/** Returns the sentence of an action with these fields, before its values are filled in. */
function patternOf({ action, actor_id, target_id, after }: AuditEntry): string {
  const isOwn = actor_id !== null && actor_id === target_id;
  if (isOwn && action === 'session.delete') return 'signed out';
  if (isOwn && action === 'member.delete') return 'left the organization';
  if (target_id === null && action === 'session.refuse') return 'could not sign in: {error}';
  if (action === 'key.change' && after && 'enabled' in after)
    return after.enabled ? 'resumed the key *' : 'paused the key *';
  if (action === 'organization.change' && after && 'suspended' in after)
    return after.suspended === null
      ? 'resumed the organization *'
      : 'suspended the organization *: {suspended}';
  return sentences[action] ?? regular(action);
}

function regular(action: AuditEntry['action']): string {
  const [kind = '', verb = ''] = action.split('.');
  return `${verb}${verb.endsWith('e') ? 'd' : 'ed'} the ${kind.replace('-', ' ')} *`;
}

/** Fields that sentences say in other words. */
const said: Readonly<Record<string, readonly string[]>> = {
  limit: ['Key id', 'User id', 'Applies to', 'Unit', 'Window kind'],
  key: ['Enabled'],
  organization: ['Suspended'],
};

/** Returns what the actor did, with the target's name at `*`, and the changes that it doesn't say. */
export function sentenceOf(entry: AuditEntry): { text: string; changes: string } {
  const { action, before, after, target_name } = entry;
  const used = new Set(said[action.split('.')[0]!]);
  let isComplete = true;
  const filled = patternOf(entry).replace(/\{(before\.)?(\w+)\}/g, (_, isBefore, field) => {
    const value = (isBefore ? before : { ...before, ...after })?.[field];
    isComplete &&= value !== undefined;
    used.add(nameOfField(field));
    return valueText(field, value);
  });
  const others = changesOf(entry).filter(
    ([field, value]) => !used.has(field) && !field.endsWith(' id') && value !== target_name,
  );
  return {
    text: isComplete ? filled : regular(action),
    changes: others.map(([field, values]) => `${field}: ${values}`).join(', '),
  };
}

const nameOfField = (field: string): string => capitalized(field.replaceAll('_', ' '));

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
