import { useState } from 'react';
import type { Key } from '../../../api/keys.ts';
import type { Organization } from '../../../api/organizations.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { LimitAction, type LimitIntent } from '../limits/limit-action.tsx';
import { LimitList } from '../limits/limit-list.tsx';

interface Props {
  organization: Organization;
  apiKey: Key;
  onClose: () => void;
}

/** The limits of a key. The dialog of an action takes the place of the list, which returns when it closes. */
export function KeyLimits({ organization: { org_id: orgId, may }, apiKey, onClose }: Props) {
  const [intent, setIntent] = useState<LimitIntent | null>(null);
  const mayChange = may.includes('limits.change-keys');
  const scope = { orgId, keyId: apiKey.key_id };
  if (intent) {
    return (
      <LimitAction
        scope={scope}
        scopeName={`the key “${apiKey.name}”`}
        intent={intent}
        onClose={() => setIntent(null)}
      />
    );
  }
  return (
    <Dialog
      title={`Limits of “${apiKey.name}”`}
      description="They apply beside the limits of the organization. Keys that replace this one by rotation share them."
      open
      onOpenChange={onClose}
    >
      <LimitList scope={scope} changers="Owners and admins" mayChange={mayChange} onAct={setIntent} />
      <div className="flex justify-end gap-2">
        {mayChange && <Button onClick={() => setIntent({ does: 'add' })}>Add a limit</Button>}
        <Button look="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}
