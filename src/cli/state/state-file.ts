import { hash } from 'node:crypto';
import { ConfigError, type Environment } from '../../../packages/small/src/settings.ts';
import { kindFor } from '../../alerts/channel-kinds/kinds.ts';
import { fileOf, requireState, type State } from '../../api/state.ts';
import { readYaml } from '../../config/settings-file.ts';
import { emailKey } from '../../lib/email.ts';
import { withoutSecrets } from '../../lib/harmless.ts';
import { isMapped, itemsOf, keyOf, whatOf } from './item.ts';

type Channels = NonNullable<State['channels']>;

/** Returns what a file describes, with the values of variables. Throws a ConfigError at the first fault. */
export function readStateFile(file: string, environment: Environment): State {
  const refuse = (fault: string): never => {
    throw new ConfigError(`${file}: ${fault}. docs/installation-as-files.md has an example`);
  };
  const written = readYaml(file, refuse);
  requireState(written, refuse);
  const named = (externalId: string) =>
    /^\.{0,2}$/.test(externalId.trim())
      ? refuse(`${JSON.stringify(externalId)} can't be an external_id`)
      : externalId.trim();
  const variable = (name: string | undefined) =>
    name === undefined ? undefined : environment[name] || refuse(`the variable ${name} is not set`);
  const withAddresses = ({ channels }: { channels?: Channels }) =>
    channels && {
      channels: channels.map(({ address_env, secret_env, ...channel }) => {
        const stated = variable(address_env) ?? channel.address ?? refuse('a channel lacks an address');
        if (channel.kind !== 'email' && !URL.canParse(stated))
          refuse(`${address_env ? `the variable ${address_env}` : JSON.stringify(stated)} is no URL`);
        // The address as the service stores it.
        const address =
          channel.kind === 'email' ? emailKey(stated) : URL.parse(stated.replace(/#.*/s, ''))!.href;
        return { ...channel, kind: kindFor(channel.kind, address), address, secret: variable(secret_env) };
      }),
    };
  // Values as the service stores them: others would be changes for ever.
  const sorted = (thresholds: number[]) => [...new Set(thresholds)].sort((a, b) => a - b);
  const state = {
    ...withAddresses(written),
    organizations: (written.organizations ?? []).map(({ alerts, limits, members, ...organization }) => ({
      ...organization,
      external_id: named(organization.external_id),
      name: organization.name.trim(),
      ...(typeof organization.suspended === 'string' && { suspended: organization.suspended.trim() }),
      ...(alerts && {
        alerts: Object.fromEntries(
          Object.entries(alerts).map(([name, value]) => [name, Array.isArray(value) ? sorted(value) : value]),
        ),
      }),
      ...(limits && { limits: limits.map((limit) => ({ max_wait_seconds: null, ...limit })) }),
      ...withAddresses(organization),
      ...(members && { members: members.map(({ email, role }) => ({ email: emailKey(email), role })) }),
    })),
  } as State;
  const keys = new Set<string>();
  for (const item of itemsOf(state)) {
    if (keys.has(keyOf(item))) refuse(`${item.owner ?? 'it'} has ${whatOf(item)} twice`);
    keys.add(keyOf(item));
  }
  return state;
}

/** Returns a state as a file has it, and the variables that have to be set for it, each with what it stands for. */
export function writtenState({ channels, organizations = [] }: State, environment: Environment) {
  const unset = new Map<string, string>();
  /** Replaces the addresses that are secrets by variables: anybody who has the address of a chat can write there. */
  const withVariables = (written: Channels = []) =>
    written.map(({ address = '', ...channel }) => {
      if (channel.kind === 'email' || (channel.kind === 'webhook' && !address.includes('?')))
        return { ...channel, address };
      const known = Object.keys(environment).find((name) => environment[name] === address);
      const name = known ?? `${channel.kind}_${hash('sha256', address).slice(0, 8)}`.toUpperCase();
      if (!known) unset.set(name, `the address of a channel at ${withoutSecrets(address)}`);
      return { ...channel, address_env: name };
    });
  const state = fileOf({
    channels: withVariables(channels),
    organizations: organizations.map((organization) => ({
      ...organization,
      channels: withVariables(organization.channels),
      members: (organization.members ?? []).filter((member) => !isMapped(member)),
    })),
  });
  const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
  const isWritten = (name: string, value: unknown) => /thresholds$/.test(name) || !isEmpty(value);
  const shown = JSON.stringify(state, (name, value) => (isWritten(name, value) ? value : undefined));
  return { state: JSON.parse(shown), unset };
}
