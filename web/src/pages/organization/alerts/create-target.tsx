import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type AlertTarget, alertTargetsQuery, createAlertTarget } from '../../../api/alert-targets.ts';
import { signInOptionsQuery } from '../../../api/auth.ts';
import { useSave } from '../../../api/use-save.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { OnlyOnce, SecretDialog } from '../../../ui/secret.tsx';
import { Segmented } from '../../../ui/segmented.tsx';

type Kind = AlertTarget['kind'];

/** The field for the address of a new channel, by its kind. */
const fields: Readonly<Record<Kind, { label: string; type: string; placeholder: string; hint: string }>> = {
  email: {
    label: 'Email address',
    type: 'email',
    placeholder: 'ops@example.com',
    hint:
      'Each alert is sent as a separate email. An address that no member has verified gets a link to confirm it ' +
      'first.',
  },
  webhook: {
    label: 'URL',
    type: 'url',
    placeholder: 'https://example.com/hooks/embedgate',
    hint: 'Each alert is a POST request, signed according to Standard Webhooks and retried when it fails.',
  },
  slack: chat(
    'https://hooks.slack.com/services/…',
    'an incoming webhook of Slack, Mattermost or Rocket.Chat',
  ),
  discord: chat('https://discord.com/api/webhooks/…', 'a webhook of a channel in Discord'),
  teams: chat(
    'https://….api.powerplatform.com/…',
    'a workflow of Teams that posts webhook requests to a channel',
  ),
};
const kinds: Readonly<Record<Kind, string>> = {
  email: 'Email',
  webhook: 'Webhook',
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Teams',
};
const { email: _, ...withoutMail } = kinds;

function chat(placeholder: string, what: string) {
  return {
    label: 'URL',
    type: 'url',
    placeholder,
    hint: `The address of ${what}. Whoever has it can write there.`,
  };
}

export function CreateTarget({ onClose }: { onClose: () => void }) {
  const { org_id: orgId } = useOrganization();
  const { data: options } = useQuery(signInOptionsQuery);
  const sendsMail = options?.password_reset === 'mail';
  const [chosen, setKind] = useState<Kind>('email');
  const kind = !sendsMail && chosen === 'email' ? 'webhook' : chosen;
  const create = useSave(
    ({ name, address }: Record<'name' | 'address', string>) =>
      createAlertTarget(orgId, { kind, address, ...(name.trim() && { name }) }),
    [alertTargetsQuery(orgId).queryKey],
    ({ secret }) => secret ?? onClose(),
  );
  if (create.data?.secret) {
    return (
      <SecretDialog
        title="The webhook’s secret"
        description={`With this secret and any Standard Webhooks library, ${create.data.address} can verify that a message comes from this service and was not changed.`}
        notice={<OnlyOnce what="secret" />}
        text={create.data.secret}
        copy="Copy secret"
        done="I’ve saved the secret"
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title="Add a channel"
      names={['name', 'address']}
      action="Add"
      change={create}
      onClose={onClose}
    >
      <Segmented legend="Kind" options={sendsMail ? kinds : withoutMail} value={kind} onChange={setKind} />
      {!sendsMail && (
        <p className="text-muted">
          This service sends no email. An operator turns it on with <code>SMTP_URL</code>.
        </p>
      )}
      <TextField label="Name" name="name" maxLength={200} placeholder="On-call" />
      <TextField key={kind} name="address" maxLength={2_000} required {...fields[kind]} />
    </FormDialog>
  );
}
