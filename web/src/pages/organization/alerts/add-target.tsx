import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { addTarget, type Target, targetsQuery } from '../../../api/alerts.ts';
import { queryClient } from '../../../api/query-client.ts';
import { formText } from '../../../lib/form-text.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Problem } from '../../../ui/problem.tsx';

const kinds = { email: 'E-mail', webhook: 'Webhook' };

export function AddTarget({ orgId }: { orgId: string }) {
  const [kind, setKind] = useState<Target['kind']>('email');
  const add = useMutation({
    mutationFn: ({ address }: { address: string }) => addTarget(orgId, kind, address),
    onSuccess: () => queryClient.invalidateQueries(targetsQuery(orgId)),
  });
  return (
    <>
      <form
        className="grid items-end gap-4 sm:grid-cols-[9rem_1fr_auto]"
        onSubmit={(event) => add.mutate(formText(event, 'address'))}
      >
        <SelectField
          label="Kind"
          options={kinds}
          value={kind}
          onChange={(event) => setKind(event.target.value as Target['kind'])}
        />
        <TextField
          key={kind}
          label={kind === 'email' ? 'Address' : 'URL'}
          name="address"
          type={kind === 'email' ? 'email' : 'url'}
          placeholder={kind === 'email' ? 'ops@example.com' : 'https://example.com/hooks/embedgate'}
          required
        />
        <Button type="submit" pending={add.isPending}>
          Add
        </Button>
      </form>
      <Problem error={add.error} />
      {add.data?.secret && (
        <Notice look="warning" role="status">
          <div className="flex flex-wrap items-center gap-2">
            <span>The webhook’s signing secret, shown only now:</span>
            <code className="break-all">{add.data.secret}</code>
            <CopyButton text={add.data.secret} />
          </div>
        </Notice>
      )}
    </>
  );
}
