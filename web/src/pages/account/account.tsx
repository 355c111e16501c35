import { useSuspenseQuery } from '@tanstack/react-query';
import { userQuery } from '../../api/auth.ts';
import { Page } from '../../ui/page.tsx';
import { Password } from './password.tsx';
import { Sessions } from './sessions.tsx';
import { TwoFactor } from './two-factor.tsx';

export default function Account() {
  const { data: user } = useSuspenseQuery(userQuery);
  if (!user) return null;
  const { name, email, uses_totp: usesTotp } = user;
  return (
    <Page title="Account">
      <div className="wrap-anywhere">
        <p className="font-semibold text-lg">{name}</p>
        <p className="text-muted">{email}</p>
      </div>
      <Password email={email} />
      <TwoFactor enabled={usesTotp} />
      <Sessions />
    </Page>
  );
}
