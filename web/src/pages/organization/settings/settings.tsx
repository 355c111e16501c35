import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../../api/query-client.ts';
import { may } from '../../../lib/roles.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DeleteOrganization } from './delete-organization.tsx';
import { NameForm } from './name-form.tsx';
import { TierForm } from './tier-form.tsx';

export default function Settings() {
  const organization = useOrganization('Settings');
  const { data: session } = useQuery(sessionQuery);
  const { org_id: orgId, role } = organization;
  return (
    <>
      <Card title="Organization">
        <div className="grid gap-4">
          <div className="flex flex-wrap items-center gap-2">
            <span className="text-muted">Id</span>
            <code className="break-all">{orgId}</code>
            <CopyButton text={orgId} />
          </div>
          <NameForm organization={organization} mayChange={may(role, 'change settings')} />
        </div>
      </Card>
      <Card title="Tier">
        <TierForm organization={organization} mayChange={session?.user.isAdmin === true} />
      </Card>
      {may(role, 'delete') && <DeleteOrganization organization={organization} />}
    </>
  );
}
