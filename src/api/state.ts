import { type TProperties, type TSchema, Type } from 'typebox';
import { Clean, Errors } from 'typebox/value';
import { AlertSettingsRequest } from './alert.ts';
import { CreateChannelRequest } from './channel.ts';
import { ExternalId } from './common.ts';
import { InvitationRequest } from './invitation.ts';
import { CreateLimitRequest } from './limit.ts';
import { PutOrganizationRequest } from './organization.ts';

const Closed = <P extends TProperties>(fields: P) => Type.Object(fields, { additionalProperties: false });
const Some = <T extends TSchema>(item: T) => Type.Optional(Type.Array(item));
const { key_id: _key, user_id: _user, ...limit } = CreateLimitRequest.properties;
const { address, secret: _secret, ...channel } = CreateChannelRequest.properties;
const variables = { address_env: Type.Optional(Type.String()), secret_env: Type.Optional(Type.String()) };
const Channels = Some(Closed({ ...channel, address: Type.Optional(address), ...variables }));

/** What a file describes: the requests that make it. Variables of the environment have what is secret. */
const State = Closed({
  channels: Channels,
  organizations: Some(
    Closed({
      external_id: ExternalId,
      ...PutOrganizationRequest.properties,
      alerts: Type.Optional(Closed(AlertSettingsRequest.properties)),
      limits: Some(Closed({ ...limit, applies_to: Type.Optional(Type.Literal('new_keys')) })),
      channels: Channels,
      members: Some(Closed(InvitationRequest.properties)),
    }),
  ),
});
export type State = Type.Static<typeof State>;

/** Returns a state without the fields that no file has. */
export const fileOf = (state: State): State => Clean(State, structuredClone(state)) as State;

/** Calls `refuse` with the place and the fault if the value is no state. */
export function requireState(value: unknown, refuse: (fault: string) => never): asserts value is State {
  const [first] = Errors(State, value);
  if (!first) return;
  const place =
    first.instancePath
      .replace(/\/(\d+)/g, '[$1]')
      .replaceAll('/', '.')
      .slice(1) || 'it';
  if (first.keyword === 'enum') refuse(`${place} must be one of ${first.params.allowedValues.join(', ')}`);
  // The schema of a field that isn't known is `false`.
  refuse(`${place} ${first.keyword === 'boolean' ? 'is not known here' : first.message}`);
}
