import { type Static, Type } from 'typebox';
import {
  type AuditEntry,
  type AuditFilter,
  actorKinds,
  auditActions,
  auditKinds,
  auditList,
} from '../audit/entry.ts';
import { Choice, Id, Nullable, PageQuery, PageResponse, Text, Timestamp, time, UserText } from './common.ts';
import { momentOf } from './request.ts';
import { viewOf } from './view.ts';

const Identifier = (description: string) =>
  Type.String({ maxLength: 200, pattern: '^[^\\u0000]*$', description });

const Action = Choice(auditActions, 'What was done, by the kind of what it was done to.');
const filters = {
  entry_id: Type.Optional(Id('Only this entry.')),
  action: Type.Optional(Action),
  kind: Type.Optional(
    Choice(auditKinds, 'Only what was done to this kind of thing. `session`: sign-ins and sign-outs.'),
  ),
  text: Type.Optional(
    UserText(
      'Only entries whose `actor_name`, `target_name`, `before` or `after` contains this text. The letters A to Z ' +
        'match in upper and lower case.',
    ),
  ),
  actor: Type.Optional(Identifier('The identifier of the user or the key who did it.')),
  target: Type.Optional(Identifier('The identifier of what it was done to.')),
  from: Type.Optional(time('The first moment, inclusive.')),
  to: Type.Optional(time('The last moment, exclusive.')),
};

export const AuditQuery = PageQuery(auditList, filters);
export const AuditExportQuery = Type.Object(filters);

/** Returns the filter of a query. Throws `invalid_request`. */
export function auditFilterOf(query: Static<typeof AuditExportQuery>, orgId?: string): AuditFilter {
  const { entry_id: entryId, action, kind, text, actor: actorId, target: targetId } = query;
  const [fromMs, toMs] = [momentOf(query, 'from'), momentOf(query, 'to')];
  return { orgId, entryId, action, kind, text, actorId, targetId, fromMs, toMs };
}

const ChangedFields = (description: string) =>
  Nullable(Type.Record(Type.String(), Type.Unknown(), { description }));

const AuditEntryView = Type.Object(
  {
    entry_id: Id(),
    at: Timestamp,
    org_id: Nullable(Id('Null: it concerns the installation or a user, and only administrators see it.')),
    org_name: Nullable(Text('The name that the organization has now. Null: there is none.')),
    actor_kind: Choice(
      actorKinds,
      'Who did it. `visitor`: a person who was not signed in. `service`: the service itself.',
    ),
    actor_id: Nullable(
      Text(
        'The user, the key or the provider. Of the command line, the user of the system or the administrator.',
      ),
    ),
    actor_name: Nullable(
      Text(
        'The user’s email address or the key’s name, at that time. For the people of an organization, those who ' +
          'administer the installation and are no members are `The operator`, without `actor_id` and `address`.',
      ),
    ),
    action: Action,
    target_id: Nullable(Text('What it was done to.')),
    target_name: Nullable(Text('Its name, at that time.')),
    before: ChangedFields('The fields that were replaced or removed. Never a secret.'),
    after: ChangedFields('The fields that were set. Never a secret.'),
    address: Nullable(Text('Where the request came from.')),
    request_id: Nullable(Text('The response’s `X-Request-Id`.')),
  },
  { title: 'AuditEntry' },
);

export const auditView: (entry: AuditEntry) => Static<typeof AuditEntryView> = viewOf(AuditEntryView);

export const AuditPageResponse = PageResponse('AuditPage', AuditEntryView, 'A page of the audit log.');

export const AuditExportResponse = {
  description: 'The entries as JSON lines, newest first.',
  content: { 'application/jsonl': { schema: Type.String() } },
};
