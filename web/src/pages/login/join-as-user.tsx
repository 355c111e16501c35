import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { signOut, type User } from '../../api/auth.ts';
import { queryClient } from '../../api/query-client.ts';
import { Button } from '../../ui/button.tsx';
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
  const router = useRouter();
  const signInAgain = useMutation({
    mutationFn: async () => user && (await signOut()),
    onSuccess: async () => {
      queryClient.clear();
      await router.navigate({ to: '/login', search: { next: here } });
    },
  });
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
      <Problem error={signInAgain.error} />
      <Button look="primary" pending={signInAgain.isPending} onClick={() => signInAgain.mutate()}>
        Sign in as {email}
      </Button>
    </>
  );
}
