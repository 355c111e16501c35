import { useSuspenseQuery } from '@tanstack/react-query';
import { userQuery } from '../../api/auth.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { Password } from './password.tsx';
import { Sessions } from './sessions.tsx';
import { TwoFactor } from './two-factor.tsx';

export default function Account() {
  usePageTitle('Account');
  const { data: user } = useSuspenseQuery(userQuery);
  if (!user) return null;
  const { name, email, uses_totp: usesTotp } = user;
  return (
    <>
      <div className="wrap-anywhere">
        <h1 className="font-semibold text-xl">{name}</h1>
        <p className="text-muted">{email}</p>
      </div>
      <Password email={email} />
      <TwoFactor enabled={usesTotp} />
      <Sessions />
    </>
  );
}
