import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { alertTargetsQuery, createAlertTarget } from '../../../api/alerts.ts';
import { signInOptionsQuery } from '../../../api/auth.ts';
import { useSave } from '../../../api/use-save.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { OnlyOnce, SecretDialog } from '../../../ui/secret.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { kindNames, type TargetKind, targetKinds } from './target-kinds.ts';

const { email: _, ...withoutMail } = kindNames;

export function CreateTarget({ onClose }: { onClose: () => void }) {
  const { org_id: orgId } = useOrganization();
  const { data: options } = useQuery(signInOptionsQuery);
  const sendsMail = options?.password_reset === 'mail';
  const offered = sendsMail ? kindNames : withoutMail;
  const [chosen, setKind] = useState<TargetKind | null>(null);
  const [first] = Object.keys(offered) as [TargetKind];
  const kind = chosen ?? first;
  const create = useSave(
    ({ address }: { address: string }) => createAlertTarget(orgId, { kind, address }),
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
  const { name: _name, ...field } = targetKinds[kind];
  return (
    <FormDialog title="Add a channel" names={['address']} action="Add" change={create} onClose={onClose}>
      {!sendsMail && (
        <p className="text-muted">
          This service sends no email. An operator turns it on with <code>SMTP_URL</code>.
        </p>
      )}
      {Object.keys(offered).length > 1 && (
        <Segmented legend="Kind" options={offered} value={kind} onChange={setKind} />
      )}
      <TextField key={kind} name="address" maxLength={2_000} required {...field} />
    </FormDialog>
  );
}
