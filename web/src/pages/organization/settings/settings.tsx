import { useOrganization } from '../../../lib/use-organization.ts';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DeleteOrganization } from './delete-organization.tsx';
import { NameForm } from './name-form.tsx';
import { TierForm } from './tier-form.tsx';

export default function Settings() {
  const organization = useOrganization('Settings');
  const { org_id: orgId, may } = organization;
  return (
    <>
      <Card title="Organization">
        <div className="grid gap-4">
          <div className="flex flex-wrap items-center gap-2">
            <span className="text-muted">Id</span>
            <code className="break-all">{orgId}</code>
            <CopyButton text={orgId} />
          </div>
          <NameForm organization={organization} mayChange={may.includes('organization.rename')} />
        </div>
      </Card>
      <Card title="Tier">
        <TierForm organization={organization} mayChange={may.includes('organization.set-tier')} />
      </Card>
      {may.includes('organization.delete') && <DeleteOrganization organization={organization} />}
    </>
  );
}
