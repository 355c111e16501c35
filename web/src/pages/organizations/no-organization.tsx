import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { User } from '../../api/auth.ts';
import { queryClient } from '../../api/query-client.ts';
import { ownAccessQuery, requestAccess } from '../../api/wishes.ts';
import { formText } from '../../lib/form-text.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';

/** For people with an account but without an organization, as after an open sign-up: lets them ask for one. */
export function NoOrganization({ user: { email } }: { user: User }) {
  const { data: sent = [] } = useInfiniteQuery(ownAccessQuery);
  const ask = useMutation({
    mutationFn: ({ organization }: { organization: string }) => requestAccess(organization),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ownAccessQuery.queryKey }),
  });
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
      <form
        className="grid w-full max-w-sm gap-3 text-left"
        onSubmit={(event) => ask.mutate(formText(event, 'organization'))}
      >
        <TextField
          label="Organization"
          name="organization"
          maxLength={200}
          required
          autoComplete="organization"
        />
        <Problem error={ask.error} />
        <Button type="submit" look="primary" pending={ask.isPending}>
          {last ? 'Ask for another one' : 'Request access'}
        </Button>
      </form>
    </Empty>
  );
}
