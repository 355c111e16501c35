import { useSuspenseQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../api/query-client.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { Password } from './password.tsx';
import { TwoFactor } from './two-factor.tsx';

export default function Account() {
  usePageTitle('Account');
  const { data: session } = useSuspenseQuery(sessionQuery);
  if (!session) return null;
  const { name, email, twoFactorEnabled } = session.user;
  return (
    <>
      <div>
        <h1 className="font-semibold text-xl">{name || 'Account'}</h1>
        <p className="text-muted">{email}</p>
      </div>
      <Password email={email} />
      <TwoFactor enabled={twoFactorEnabled === true} />
    </>
  );
}
