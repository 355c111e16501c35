import { Type } from 'typebox';
import { Choice, Flag, Id, Nullable, PageResponse, response, Text, Timestamp } from './common.ts';
import { RoleName } from './member.ts';
import { viewOf } from './view.ts';

const page = 'A page of the requests, by default newest first.';

const UpgradeRequest = Type.Object(
  {
    upgrade_id: Id(),
    org_id: Id(),
    organization: Text('The organization’s name.'),
    user_id: Id(),
    user_name: Text('Who asks.'),
    tier: Text('The tier that they ask for.'),
    status: Choice(['open', 'approved', 'declined']),
    created_at: Timestamp,
    decided_at: Nullable(Timestamp),
  },
  { title: 'UpgradeRequest' },
);

export const upgradeView = viewOf(UpgradeRequest);

export const UpgradeResponse = Type.Object(
  UpgradeRequest.properties,
  response('UpgradeRequest', 'The request.'),
);

export const UpgradeListResponse = PageResponse('UpgradeRequestList', UpgradeRequest, page);

export const CreateUpgradeRequest = Type.Object(
  { tier: Text('The tier to ask for. `GET /v1/tiers` lists the tiers.') },
  { title: 'CreateUpgradeRequest', examples: [{ tier: 'pro' }] },
);

export const DecideUpgradeRequest = Type.Object(
  { approve: Flag('True sets the tier; false declines the request.') },
  { title: 'DecideUpgradeRequest', examples: [{ approve: true }] },
);

const sent = {
  access_id: Id(),
  organization: Text('The organization’s name as the person typed it.'),
  created_at: Timestamp,
};

export const AccessSentResponse = Type.Object(
  sent,
  response('SentAccessRequest', 'The request, whether or not there is such an organization.'),
);

export const accessSentView = viewOf(AccessSentResponse);

const AccessRequest = Type.Object(
  {
    ...sent,
    org_id: Nullable(
      Id('The only organization with this name. Null: there is none, or the caller is not to learn it.'),
    ),
    user_id: Id(),
    user_name: Type.String(),
    email: Type.String(),
  },
  { title: 'AccessRequest' },
);

export const accessRequestView = viewOf(AccessRequest);

export const AccessListResponse = PageResponse('AccessRequestList', AccessRequest, page);

export const CreateAccessRequest = Type.Object(
  { organization: Text('The organization to join: 1 to 200 characters.') },
  { title: 'CreateAccessRequest', examples: [{ organization: 'Acme' }] },
);

export const AcceptAccessRequest = Type.Object(
  { role: RoleName },
  { title: 'AcceptAccessRequest', examples: [{ role: 'member' }] },
);
