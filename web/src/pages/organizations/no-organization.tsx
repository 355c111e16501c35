import { useInfiniteQuery } from '@tanstack/react-query';
import type { User } from '../../api/auth.ts';
import { useSave } from '../../api/use-save.ts';
import { ownAccessQuery, requestAccess } from '../../api/wishes.ts';
import { Empty } from '../../ui/empty.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';

/** For people with an account but without an organization, as after an open sign-up: lets them ask for one. */
export function NoOrganization({ user: { email } }: { user: User }) {
  const { data: sent = [] } = useInfiniteQuery(ownAccessQuery);
  const ask = useSave(requestAccess, [ownAccessQuery.queryKey]);
  const [last] = sent;
  return (
    <Empty title="You don’t belong to an organization yet.">
      <p>
        Ask for access with the name of your organization. Its owners and the administrators of this service
        see your request, and your address {email}. Someone can also send you an invitation.
      </p>
      {last && (
        <Notice look="success" role="status">
          You have asked for access to {last.organization}. You’ll see it here once someone has accepted.
        </Notice>
      )}
      <Form
        names={['organization']}
        action={last ? 'Ask for another one' : 'Request access'}
        change={ask}
        className="w-full max-w-sm text-left"
      >
        <TextField
          label="Organization"
          name="organization"
          maxLength={200}
          required
          autoComplete="organization"
        />
      </Form>
    </Empty>
  );
}
