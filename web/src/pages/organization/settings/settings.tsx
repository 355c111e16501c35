import { useQuery } from '@tanstack/react-query';
import { tiersQuery } from '../../../api/organizations.ts';
import { OrganizationPage } from '../../../frame/organization-page.tsx';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { SkeletonBlock } from '../../../ui/skeleton.tsx';
import { OrganizationLimits } from '../limits/organization-limits.tsx';
import { DeleteOrganization } from './delete-organization.tsx';
import { NameForm } from './name-form.tsx';
import { PurgeVectors } from './purge-vectors.tsx';
import { TierForm } from './tier-form.tsx';

export default function Settings() {
  const organization = useOrganization();
  const { org_id: orgId, may } = organization;
  const tiers = useQuery(tiersQuery);
  return (
    <OrganizationPage title="Settings">
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
        <Loaded query={tiers} placeholder={<SkeletonBlock height={6} />}>
          {(found) => (
            <TierForm
              organization={organization}
              tiers={found}
              mayChange={may.includes('organization.set-tier')}
            />
          )}
        </Loaded>
      </Card>
      <OrganizationLimits organization={organization} />
      {may.includes('vectors.purge') && <PurgeVectors organization={organization} />}
      {may.includes('organization.delete') && <DeleteOrganization organization={organization} />}
    </OrganizationPage>
  );
}
