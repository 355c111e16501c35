import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  deleteOrganization,
  keyOf,
  ofAnyOrganization,
  outdateOrganizations,
  purgeVectors,
  renameOrganization,
  suspendOrganization,
} from '../../../api/organizations.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useSave } from '../../../api/use-save.ts';
import { OrganizationPage } from '../../../frame/organization-page.tsx';
import { capitalized } from '../../../lib/format.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { CopyValue } from '../../../ui/copy.tsx';
import { Form } from '../../../ui/form.tsx';
import { NameForm, Setting } from '../../../ui/setting.tsx';
import { Toast } from '../../../ui/toast.tsx';

export default function Settings() {
  const { org_id: orgId, external_id, may, name, tier, suspended } = useOrganization();
  const navigate = useNavigate();
  const [withPeople, setWithPeople] = useState(false);
  const [asked, setAsked] = useState<'purge' | 'delete' | null>(null);
  const close = () => setAsked(null);
  const purge = useSave(() => purgeVectors(orgId), [], close);
  const remove = useSave(
    () => deleteOrganization(orgId, withPeople),
    [],
    async () => {
      // First, so that the page of the list loads it again.
      await outdateOrganizations();
      await navigate({ to: '/organizations' });
      queryClient.removeQueries({ queryKey: keyOf(orgId) });
    },
  );
  const maySuspend = may.includes('organization.suspend');
  const mayRename = may.includes('organization.rename');
  const mayPurge = may.includes('vectors.purge');
  const mayDelete = may.includes('organization.delete') && (external_id === null || maySuspend);
  const dangerLook = 'flex flex-wrap items-center justify-between gap-4 p-4';
  return (
    <OrganizationPage title="Settings">
      <div className="max-w-3xl border-line border-t">
        <Setting
          name="Name"
          value={mayRename ? name : `${name} · Owners and admins can change it.`}
          action={mayRename ? 'Edit' : null}
        >
          {(done) => (
            <NameForm
              label="Name"
              name={name}
              save={({ name }) => renameOrganization(orgId, name)}
              changed={ofAnyOrganization}
              onDone={done}
            />
          )}
        </Setting>
        {(maySuspend || suspended !== null) && (
          <Setting
            name="Status"
            value={suspended === null ? 'Active' : `Suspended: ${suspended}`}
            action={maySuspend ? (suspended === null ? 'Suspend' : 'Change') : null}
          >
            {(done) => <Suspension orgId={orgId} suspended={suspended} onDone={done} />}
          </Setting>
        )}
        <Setting name="Organization ID" value={<CopyValue value={orgId} name="organization ID" />} />
        <Setting
          name="Plan"
          value={
            <>
              {capitalized(tier)} ·{' '}
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
            {mayPurge && (
              <div className={dangerLook}>
                <p className="flex-1 basis-80">
                  The cache stores the vectors of your texts, encrypted. A request whose texts are all in the
                  cache is answered at once and doesn’t count against the quota.
                </p>
                <Button onClick={() => setAsked('purge')}>Purge cached vectors</Button>
              </div>
            )}
            {mayDelete && (
              <div className={dangerLook}>
                <p className="flex-1 basis-80">
                  All its keys stop working, and its usage is no longer visible.
                </p>
                <Button look="danger" onClick={() => setAsked('delete')}>
                  Delete the organization
                </Button>
              </div>
            )}
          </div>
        </Card>
      )}
      {asked === 'purge' && (
        <Confirm
          title={`Purge the cached vectors of “${name}”?`}
          description="From the next request on, every text is computed and counted again. This can’t be undone."
          action="Purge"
          change={purge}
          onClose={close}
        />
      )}
      {asked === 'delete' && (
        <Confirm
          title={`Delete “${name}”?`}
          description="Every key of this organization is refused from the next request on. This can’t be undone."
          typed={name}
          action="Delete"
          change={remove}
          onClose={close}
        >
          {may.includes('users.change') && (
            <label className="flex items-center gap-2">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={withPeople}
                onChange={(event) => setWithPeople(event.target.checked)}
              />
              Also delete the accounts of members who belong to no other organization
            </label>
          )}
        </Confirm>
      )}
      {purge.isSuccess && (
        <Toast look="success" onClose={purge.reset}>
          The cached vectors have been purged.
        </Toast>
      )}
    </OrganizationPage>
  );
}

interface SuspensionProps {
  orgId: string;
  suspended: string | null;
  onDone: () => void;
}

/** Suspends an organization with a sentence, or resumes it. */
function Suspension({ orgId, suspended, onDone }: SuspensionProps) {
  const resume = useSave((_values: object) => suspendOrganization(orgId, null), [ofAnyOrganization], onDone);
  return (
    <div className="flex flex-col gap-4">
      <NameForm
        label="Sentence for its people and programs"
        name={suspended ?? ''}
        save={({ name }) => suspendOrganization(orgId, name)}
        changed={ofAnyOrganization}
        onDone={onDone}
      />
      {suspended !== null && (
        <Form names={[]} action="Resume" change={resume} className="max-w-md">
          <p>Its keys work again, and its batches go on.</p>
        </Form>
      )}
    </div>
  );
}
