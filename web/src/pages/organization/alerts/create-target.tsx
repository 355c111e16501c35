import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { alertTargetsQuery, type CreatedAlertTarget, createAlertTarget } from '../../../api/alerts.ts';
import { queryClient } from '../../../api/query-client.ts';
import { formText } from '../../../lib/form-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Secret } from '../../../ui/secret.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { type TargetKind, targetKinds } from './target-kinds.ts';

const fields: Readonly<
  Record<TargetKind, { label: string; type: string; placeholder: string; hint: string }>
> = {
  email: {
    label: 'E-mail address',
    type: 'email',
    placeholder: 'ops@example.com',
    hint: 'Each alert is a mail of its own.',
  },
  webhook: {
    label: 'URL',
    type: 'url',
    placeholder: 'https://example.com/hooks/embedgate',
    hint: 'Each alert is a POST, signed as Standard Webhooks has it, and tried again where it fails.',
  },
};

export function CreateTarget({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const [kind, setKind] = useState<TargetKind>('email');
  const create = useMutation({
    mutationFn: ({ address }: { address: string }) => createAlertTarget(orgId, { kind, address }),
    onSuccess: async ({ secret }) => {
      await queryClient.invalidateQueries(alertTargetsQuery(orgId));
      if (secret === null) onClose();
    },
  });
  if (create.data?.secret) return <ShownOnce created={create.data} onClose={onClose} />;
  return (
    <Dialog title="Add a target" open onOpenChange={onClose}>
      <form className="grid gap-4" onSubmit={(event) => create.mutate(formText(event, 'address'))}>
        <Segmented legend="Kind" options={targetKinds} value={kind} onChange={setKind} />
        <TextField key={kind} name="address" maxLength={2_000} required {...fields[kind]} />
        <Problem error={create.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" pending={create.isPending}>
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Closed only by its button: a click beside it must not lose the secret. */
function ShownOnce({ created, onClose }: { created: CreatedAlertTarget; onClose: () => void }) {
  return (
    <Dialog
      title="The webhook’s secret"
      description={`With it, ${created.address} verifies that a message comes from here and was not changed: any library for Standard Webhooks does that.`}
      open
      onOpenChange={() => {}}
    >
      <Notice look="warning">
        This secret is shown only now. Copy it and keep it where you keep passwords.
      </Notice>
      <Secret text={created.secret ?? ''} copy="Copy secret" />
      <Button look="primary" className="justify-self-end" onClick={onClose}>
        I have kept the secret
      </Button>
    </Dialog>
  );
}
