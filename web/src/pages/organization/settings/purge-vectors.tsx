import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Organization, purgeVectors } from '../../../api/organizations.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Toast } from '../../../ui/toast.tsx';

export function PurgeVectors({ organization: { org_id: orgId, name } }: { organization: Organization }) {
  const [asking, setAsking] = useState(false);
  const purge = useMutation({
    mutationFn: () => purgeVectors(orgId),
    onSuccess: () => setAsking(false),
  });
  return (
    <div className="p-4">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="flex-1 basis-80">
          The cache stores the vectors of your texts, encrypted. A request whose texts are all in the cache is
          answered at once and doesn’t count against the quota.
        </p>
        <Button onClick={() => setAsking(true)}>Purge cached vectors</Button>
      </div>
      <Confirm
        title={`Purge the cached vectors of “${name}”?`}
        description="From the next request on, every text is computed and counted again. This can’t be undone."
        action="Purge"
        open={asking}
        pending={purge.isPending}
        error={purge.error}
        onConfirm={purge.mutate}
        onCancel={() => setAsking(false)}
      />
      {purge.isSuccess && (
        <Toast look="success" onClose={purge.reset}>
          The cached vectors have been purged.
        </Toast>
      )}
    </div>
  );
}
