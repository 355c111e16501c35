import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { keyOf, type Role } from '../../../api/organizations.ts';
import { useSave } from '../../../api/use-save.ts';
import { acceptAccess, accessRequestsQuery, declineAccess } from '../../../api/wishes.ts';
import { formatAgo } from '../../../lib/format.ts';
import { rolesToGive } from '../../../lib/roles.ts';
import { useOrganization } from '../../../lib/use-organization.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { actions, RowName, row, Table } from '../../../ui/table.tsx';
import { ProblemToast } from '../../../ui/toast.tsx';

/** The people who ask to become members. Not shown while nobody does. */
export function AccessRequests() {
  const organization = useOrganization();
  const { org_id: orgId } = organization;
  const { data: requests = [] } = useInfiniteQuery(accessRequestsQuery(orgId));
  const accept = useSave(
    ({ id, role }: { id: string; role: Role }) => acceptAccess(orgId, id, role),
    [keyOf(orgId)],
  );
  const decline = useSave((id: string) => declineAccess(orgId, id), [keyOf(orgId)]);
  if (requests.length === 0) return null;
  return (
    <Card title="Requests for access">
      <ProblemToast error={accept.error ?? decline.error} onClose={(accept.error ? accept : decline).reset} />
      <Table
        caption="Requests for access"
        columns={['Who', 'Sent', actions]}
        rows={requests.map(({ access_id: id, user_name, email, created_at }) =>
          row(
            id,
            <RowName name={user_name} more={email} />,
            formatAgo(created_at),
            <span className="inline-flex gap-2">
              <Button aria-label={`Decline ${email}`} onClick={() => decline.mutate(id)}>
                Decline
              </Button>
              <Menu
                trigger={
                  <Button look="primary" aria-label={`Accept as… for ${email}`}>
                    Accept as…
                    <ChevronDown aria-hidden />
                  </Button>
                }
              >
                {Object.entries(rolesToGive(organization)).map(([role, text]) => (
                  <MenuItem key={role} onSelect={() => accept.mutate({ id, role: role as Role })}>
                    {text}
                  </MenuItem>
                ))}
              </Menu>
            </span>,
          ),
        )}
      />
    </Card>
  );
}
