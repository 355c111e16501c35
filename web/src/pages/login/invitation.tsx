import { useQuery } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { acceptInvitation, findInvitation } from '../../api/account.ts';
import { signOut, userQuery } from '../../api/auth.ts';
import { queryClient } from '../../api/query-client.ts';
import { useSave } from '../../api/use-save.ts';
import { useLinkToken } from '../../lib/link-token.ts';
import { usePasswords } from '../../lib/use-passwords.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { LinkCode } from './link-code.tsx';
import { LoginFrame } from './login-frame.tsx';
import { NewPasswordField } from './password-fields.tsx';

/** The target of an invitation's link. The next step depends on whether the invited address has an account. */
export default function Invitation() {
  const token = useLinkToken();
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => findInvitation(token ?? ''),
    enabled: token !== null,
  });
  const isInvalid = invitation.isError;
  return (
    <LoginFrame
      title={isInvalid ? 'Invitation not valid' : 'You are invited'}
      back={isInvalid && 'Go to sign-in'}
    >
      {token === null ? (
        <LinkCode />
      ) : (
        <Loaded query={invitation} placeholder={<SkeletonRows />}>
          {({ organization, inviter_name, email, role, has_account }) => (
            <>
              <p>
                Join <strong>{organization}</strong> as {role}, with the address <strong>{email}</strong>.
                Invited by <strong>{inviter_name}</strong>.
              </p>
              <Join token={token} email={email} hasAccount={has_account} />
            </>
          )}
        </Loaded>
      )}
    </LoginFrame>
  );
}

/** People with an account sign in to it and accept. Others create one by accepting. */
function Join({ token, email, hasAccount }: { token: string; email: string; hasAccount: boolean }) {
  const { data: user } = useQuery(userQuery);
  const here = useLocation({ select: ({ href }) => href });
  const router = useRouter();
  const hasPasswords = usePasswords();
  const accept = useSave(
    (account: Partial<Record<'name' | 'password', string>>) => acceptInvitation({ token, ...account }),
    [],
    async ({ org_id: orgId }) => {
      queryClient.clear();
      await router.navigate({ to: '/organizations/$orgId/usage', params: { orgId } });
    },
  );
  const signInAgain = useSave(
    async () => user && (await signOut()),
    [],
    async () => {
      queryClient.clear();
      await router.navigate({ to: '/login', search: { next: here } });
    },
  );
  if (!hasAccount && hasPasswords) {
    return (
      <Form names={['name', 'password']} action="Join" change={accept}>
        <TextField label="Your name" name="name" autoComplete="name" maxLength={200} required autoFocus />
        <NewPasswordField label="Password" />
      </Form>
    );
  }
  const isUser = user?.email === email;
  return (
    <>
      {user && !isUser && <Notice look="warning">You are signed in as {user.email}.</Notice>}
      <Problem error={accept.error ?? signInAgain.error} />
      <Button
        look="primary"
        pending={accept.isPending || signInAgain.isPending}
        onClick={() => (isUser ? accept.mutate({}) : signInAgain.mutate())}
      >
        {isUser ? 'Join' : `Sign in as ${email}`}
      </Button>
    </>
  );
}
