import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { alertTargetsQuery, type CreatedAlertTarget, createAlertTarget } from '../../../api/alerts.ts';
import { signInOptionsQuery } from '../../../api/auth.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Secret } from '../../../ui/secret.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { kindNames, type TargetKind, targetKinds } from './target-kinds.ts';

const { email: _, ...withoutMail } = kindNames;

export function CreateTarget({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const { data: options } = useQuery(signInOptionsQuery);
  const sendsMail = options?.password_reset === 'mail';
  const offered = sendsMail ? kindNames : withoutMail;
  const [chosen, setKind] = useState<TargetKind | null>(null);
  const [first] = Object.keys(offered) as [TargetKind];
  const kind = chosen ?? first;
  const create = useMutation({
    mutationFn: ({ address }: { address: string }) => createAlertTarget(orgId, { kind, address }),
    onSuccess: async ({ secret }) => {
      await queryClient.invalidateQueries(alertTargetsQuery(orgId));
      if (secret === null) onClose();
    },
  });
  if (create.data?.secret) return <ShownOnce created={create.data} onClose={onClose} />;
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

/** Closed only by its button, because a click outside must not lose the secret. */
function ShownOnce({ created, onClose }: { created: CreatedAlertTarget; onClose: () => void }) {
  return (
    <Dialog
      title="The webhook’s secret"
      description={`With this secret and any Standard Webhooks library, ${created.address} can verify that a message comes from this service and was not changed.`}
      open
      onOpenChange={() => {}}
    >
      <Notice look="warning">
        This secret is shown only once. Copy it now and keep it where you keep passwords.
      </Notice>
      <Secret text={created.secret ?? ''} copy="Copy secret" />
      <Button look="primary" className="justify-self-end" onClick={onClose}>
        I’ve saved the secret
      </Button>
    </Dialog>
  );
}
