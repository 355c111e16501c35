import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { findInvitation, userQuery } from '../../api/auth.ts';
import { useLinkToken } from '../../lib/link-token.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { JoinAsUser } from './join-as-user.tsx';
import { JoinWithAccount } from './join-with-account.tsx';
import { LoginFrame } from './login-frame.tsx';

/** The target of an invitation's link. The next step depends on whether the invited address has an account. */
export default function Invitation() {
  const token = useLinkToken();
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => findInvitation(token ?? ''),
    enabled: token !== null,
  });
  const { data: user } = useQuery(userQuery);
  const here = useLocation({ select: ({ href }) => href });
  const isInvalid = token === null || invitation.isError;
  return (
    <LoginFrame title={isInvalid ? 'Invitation not valid' : 'You are invited'}>
      {token === null ? (
        <Notice look="danger">This link is incomplete. Open the whole link, or ask for a new one.</Notice>
      ) : (
        <Loaded query={invitation} placeholder={<SkeletonRows />}>
          {({ organization, email, role, has_account }) => (
            <>
              <p>
                Join <strong>{organization}</strong> as {role}, with the address <strong>{email}</strong>.
              </p>
              {has_account ? (
                <JoinAsUser token={token} email={email} user={user ?? null} here={here} />
              ) : (
                <JoinWithAccount token={token} />
              )}
            </>
          )}
        </Loaded>
      )}
      {isInvalid && (
        <p>
          <Link to="/login" className="text-accent underline">
            Go to sign-in
          </Link>
        </p>
      )}
    </LoginFrame>
  );
}
