import { Link } from '@tanstack/react-router';
import type { User } from '../../api/auth.ts';
import { Button, buttonLook } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useAccept } from './use-accept.ts';

interface Props {
  token: string;
  email: string;
  user: User | null;
  /** This page's own address, to return to. */
  here: string;
}

/** People with an account sign in to it and accept. */
export function JoinAsUser({ token, email, user, here }: Props) {
  const accept = useAccept();
  if (user?.email === email) {
    return (
      <>
        <Problem error={accept.error} />
        <Button look="primary" pending={accept.isPending} onClick={() => accept.mutate({ token })}>
          Join
        </Button>
      </>
    );
  }
  return (
    <>
      {user && <Notice look="warning">You are signed in as {user.email}.</Notice>}
      <Link to="/login" search={{ next: here }} className={buttonLook('primary')}>
        Sign in as {email}
      </Link>
    </>
  );
}
