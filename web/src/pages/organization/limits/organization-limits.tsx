import { useState } from 'react';
import type { Organization } from '../../../api/organizations.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { LimitAction, type LimitIntent } from './limit-action.tsx';
import { LimitList } from './limit-list.tsx';

/** The limits of the organization itself. */
export function OrganizationLimits({ organization: { org_id: orgId, may } }: { organization: Organization }) {
  const [intent, setIntent] = useState<LimitIntent | null>(null);
  const mayChange = may.includes('limits.change-organization');
  const scope = { orgId, keyId: null };
  return (
    <Card
      title="Limits"
      actions={mayChange && <Button onClick={() => setIntent({ does: 'add' })}>Add a limit</Button>}
    >
      <LimitList scope={scope} changers="Administrators" mayChange={mayChange} onAct={setIntent} />
      {intent && (
        <LimitAction
          scope={scope}
          scopeName="all requests of the organization"
          intent={intent}
          onClose={() => setIntent(null)}
        />
      )}
    </Card>
  );
}
