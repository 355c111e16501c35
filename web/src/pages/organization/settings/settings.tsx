import { Link } from '@tanstack/react-router';
import { OrganizationPage } from '../../../frame/organization-page.tsx';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Card } from '../../../ui/card.tsx';
import { CopyValue } from '../../../ui/copy-value.tsx';
import { Setting } from '../../../ui/setting.tsx';
import { DeleteOrganization } from './delete-organization.tsx';
import { NameForm } from './name-form.tsx';
import { PurgeVectors } from './purge-vectors.tsx';

export default function Settings() {
  const organization = useOrganization();
  const { org_id: orgId, may, name, tier } = organization;
  const mayRename = may.includes('organization.rename');
  const mayPurge = may.includes('vectors.purge');
  const mayDelete = may.includes('organization.delete');
  return (
    <OrganizationPage title="Settings">
      <div className="max-w-3xl border-line border-t">
        <Setting
          name="Name"
          value={mayRename ? name : `${name} · Owners and admins can change it.`}
          action={mayRename ? 'Edit' : null}
        >
          {(close) => <NameForm organization={organization} onDone={close} />}
        </Setting>
        <Setting name="Organization ID" value={<CopyValue value={orgId} name="organization ID" />} />
        <Setting
          name="Plan"
          value={
            <>
              {tier} ·{' '}
              <Link to="/organizations/$orgId/plan" params={{ orgId }} className="text-accent underline">
                Compare plans
              </Link>
            </>
          }
        />
      </div>
      {(mayPurge || mayDelete) && (
        <Card title="Danger zone">
          <div className="max-w-3xl divide-y divide-line rounded-lg border border-danger">
            {mayPurge && <PurgeVectors organization={organization} />}
            {mayDelete && <DeleteOrganization organization={organization} />}
          </div>
        </Card>
      )}
    </OrganizationPage>
  );
}
