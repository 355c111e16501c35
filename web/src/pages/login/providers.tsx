import { useMutation, useQuery } from '@tanstack/react-query';
import { type ProviderId, signInOptionsQuery, signInWithProvider } from '../../api/auth.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';

/** The configured ways to sign in beside the password. */
export function Providers({ returnTo }: { returnTo: string }) {
  const { data: options } = useQuery(signInOptionsQuery);
  const begin = useMutation({
    mutationFn: (provider: ProviderId) => signInWithProvider(provider, returnTo),
    onSuccess: ({ url }) => location.assign(url),
  });
  if (!options?.providers.length) return null;
  return (
    <div className="grid gap-2">
      {options.providers.map(({ id, name }) => (
        <Button key={id} pending={begin.isPending} onClick={() => begin.mutate(id as ProviderId)}>
          Continue with {name}
        </Button>
      ))}
      <Problem error={begin.error} />
    </div>
  );
}
